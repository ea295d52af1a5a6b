#!/bin/sh
# Sends a signal that buys at market, adds a trailing stop, and shows the signal:
#
#   sh send-signal.sh http://127.0.0.1:3000 KEY SECRET
set -eu
BASE_URL=$1 KEY=$2 SECRET=$3
ask() { # METHOD PATH [BODY]
  curl -sS -X "$1" "$BASE_URL$2" -H "svc-api-key: $KEY" -H "svc-api-secret: $SECRET" \
    ${3:+-H 'Content-Type: application/json' -d "$3"}
}
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

TERMS='"coin":"BTC","trade_market":"USDT","exchange":"BINANCE","invest":5,"entry_mode":"market"'
# A check stores nothing, and tells the present price.
PRICE=$(ask POST /v2/signal/validate "{$TERMS,\"entry_price_max\":\"900000\",\"exit_price_1\":\"950000\",\"confirm_price\":true}" | field market_price)
scaled() { awk "BEGIN { printf \"%.2f\", $PRICE * $1 }"; }

ID=$(ask POST /v2/signal "{$TERMS,\"entry_price_max\":\"$(scaled 1.001)\",\"exit_price_1\":\"$(scaled 1.0015)\",
  \"exit_price_2\":\"$(scaled 1.05)\",\"stop_loss\":\"$(scaled 0.98)\"}" | field parent_signal_id)
ask POST "/v1/signal/$ID/call/trailingstop" "{\"parent_signal_id\":\"$ID\",
  \"trailing_stop_price\":\"$(scaled 0.9995)\",\"trailing_stop_limit_price\":\"$(scaled 0.98)\"}"
echo
ask GET "/v1/signal/$ID"

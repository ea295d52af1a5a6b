"""Sends one signed request and prints the answer. Needs only Python 3:

    python3 sign_request.py http://127.0.0.1:3000 SECRET GET '/v3/ai/get_price?base_asset=BTC'
    python3 sign_request.py http://127.0.0.1:3000 SECRET POST /v3/ai/assess_risk '{"coin":"BTC"}'
    python3 sign_request.py http://127.0.0.1:3000 KEY:SECRET GET /v1/signal
"""
import hashlib
import hmac
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base_url, credentials, method, target, *rest = sys.argv[1:]
key, _, secret = credentials.rpartition(':')
body = rest[0].encode() if rest else b''

timestamp = str(int(time.time()))
# Path with query and body are signed byte for byte as sent.
signed = f'{timestamp}\n{method}\n{target}\n'.encode() + body
signature = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()

headers = {'x-timestamp': timestamp, 'x-signature': signature}
if key:
    headers['svc-api-key'] = key
if body:
    headers['Content-Type'] = 'application/json'
try:
    answer = urlopen(Request(base_url + target, body or None, headers, method=method))
except HTTPError as refusal:
    answer = refusal
print(answer.read().decode())
sys.exit(0 if answer.status == 200 else 1)

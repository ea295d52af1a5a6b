"""Proves who asks, as clients do: signatures for /v3/ai, over the bytes that are sent, and session tokens elsewhere."""
import hashlib
import hmac
import os
import time

import schemathesis
from requests.auth import AuthBase


class Signature(AuthBase):
    def __call__(self, request):
        body = request.body or b''
        if isinstance(body, str):
            body = body.encode()
        timestamp = str(int(time.time()))
        signed = f'{timestamp}\n{request.method}\n{request.path_url}\n'.encode() + body
        secret = os.environ['SIGNING_SECRET'].encode()
        request.headers['x-timestamp'] = timestamp
        request.headers['x-signature'] = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        return request


class Session(AuthBase):
    def __init__(self, token):
        self.token = token

    def __call__(self, request):
        request.headers['session-token'] = self.token
        return request


# Those that end sessions have one of another user, so that the others keep theirs.
ENDS_SESSIONS = '^/backend/(logout|sessions/end|password)$'
schemathesis.auth.set_from_requests(Signature()).apply_to(path_regex='^/v3/')
schemathesis.auth.set_from_requests(Session(os.environ['OTHER_TOKEN'])).apply_to(path_regex=ENDS_SESSIONS)
schemathesis.auth.set_from_requests(Session(os.environ['SESSION_TOKEN'])).apply_to(
    path_regex='^/(backend|operator)/(?!(logout|sessions/end|password)$)'
)


KNOWN = {'asset': 'BTC', 'base_asset': 'BTC', 'coin': 'BTC', 'tradeMarket': 'USDT', 'quote_asset': 'USDT', 'trade_market': 'USDT'}


def with_known_names(fields):
    """A name that is well-formed becomes one that is known, so that answers are seen too; every eighth stays as it is."""
    if not isinstance(fields, dict):
        return fields
    return {
        name: KNOWN[name]
        if name in KNOWN and isinstance(value, str) and 1 <= len(value) <= 20 and sum(map(ord, value)) % 8
        else value
        for name, value in fields.items()
    }


@schemathesis.hook
def map_query(context, query):
    return with_known_names(query)


@schemathesis.hook
def map_body(context, body):
    return with_known_names(body)

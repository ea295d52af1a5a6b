"""Signs what goes to /v3/ai, as clients do: over the bytes that are sent."""
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


schemathesis.auth.set_from_requests(Signature()).apply_to(path_regex='^/v3/')


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

"""Proves who asks, as clients do: signatures for /v3/ai, over the bytes that are sent, and session tokens elsewhere."""
import hashlib
import hmac
import os
import time

import requests
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


class FreshSession(AuthBase):
    """The session of another user, who signs in again where the last question has ended it."""

    token = None

    def __call__(self, request):
        if not self.lives():
            answer = requests.post(
                f"{os.environ['SERVICE_URL']}/backend/login",
                json={'email': os.environ['OTHER_EMAIL'], 'password': os.environ['OTHER_PASSWORD']},
            )
            FreshSession.token = answer.json()['payload']['token']
        request.headers['session-token'] = FreshSession.token
        return request

    def lives(self):
        if FreshSession.token is None:
            return False
        url = f"{os.environ['SERVICE_URL']}/backend/sessions"
        return requests.get(url, headers={'session-token': FreshSession.token}).ok


# Those that end sessions must not take away the session of all others.
ENDS_SESSIONS = '^/backend/(logout|sessions/end|password)$'
schemathesis.auth.set_from_requests(Signature()).apply_to(path_regex='^/v3/')
schemathesis.auth.set_from_requests(FreshSession()).apply_to(path_regex=ENDS_SESSIONS)
schemathesis.auth.set_from_requests(Session(os.environ['OPERATOR_TOKEN'])).apply_to(path_regex=os.environ['OPERATOR_PATHS'])
schemathesis.auth.set_from_requests(Session(os.environ['SESSION_TOKEN'])).apply_to(
    path_regex='^/backend/(?!(logout|sessions/end|password)$)'
)


KNOWN = {
    **dict.fromkeys(['asset', 'base_asset', 'coin'], 'BTC'),
    **dict.fromkeys(['tradeMarket', 'quote_asset', 'trade_market'], 'USDT'),
    'exchange': 'PAPER',
}


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

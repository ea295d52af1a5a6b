"""Connects to Tidemark by OAuth with the Python client of the protocol's authors, and prints what it saw as JSON."""

import asyncio
import json
import re
import sys
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

REDIRECT_URI = "http://127.0.0.1:7777/callback"


class Storage:
    tokens = None
    client_info = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client_info

    async def set_client_info(self, client_info):
        self.client_info = client_info


class Browser:
    """The browser of the user: signs in on the page of consent and allows what is asked."""

    def __init__(self, email: str, password: str):
        self.account = {"email": email, "password": password}
        self.location = ""

    async def open(self, url: str) -> None:
        async with httpx2.AsyncClient(timeout=60) as http:
            page = await http.get(url)
            form = page.text.split('action="/authorize/login"')[1]
            hidden = re.findall(r'<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"', form)
            fields = {name: unescape(value) for name, value in hidden}
            target = "{0.scheme}://{0.netloc}/authorize/login".format(urlsplit(url))
            answer = await http.post(target, data={**fields, **self.account, "decision": "allow"})
            self.location = answer.headers["location"]

    async def callback(self) -> AuthorizationCodeResult:
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.location).query).items()}
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))


async def call(url: str, provider: OAuthClientProvider) -> str:
    async with httpx2.AsyncClient(auth=provider, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as user:
            answer = await user.call_tool("get_account_access", {})
            return answer.structured_content["email"]


async def connect(url: str, browser: Browser, document: str | None) -> dict:
    """Connects as a client that registers, or as one that publishes a document."""
    storage = Storage()
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=[REDIRECT_URI])
    provider = OAuthClientProvider(
        url, metadata, storage, browser.open, browser.callback, client_metadata_url=document
    )
    browser.location = ""
    seen = {"email": await call(url, provider), "scope": storage.tokens.scope}
    first = storage.tokens
    browser.location = ""
    # As an hour later.
    provider.context.token_expiry_time = 1
    seen["again"] = await call(url, provider)
    seen["refreshed"] = storage.tokens.refresh_token != first.refresh_token and browser.location == ""
    seen["client"] = storage.client_info.client_id
    async with httpx2.AsyncClient(timeout=60) as http:
        fields = {"token": storage.tokens.refresh_token, "client_id": seen["client"]}
        await http.post(url.replace("/mcp", "/revoke"), data=fields)
    await call(url, provider)
    # Its grant has ended, so that its user was asked anew.
    seen["asked_anew"] = browser.location != ""
    return seen


async def main(url: str, email: str, password: str, document: str) -> list[dict]:
    browser = Browser(email, password)
    return [await connect(url, browser, each) for each in (None, document)]


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))

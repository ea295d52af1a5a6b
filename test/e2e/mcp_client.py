"""Calls Tidemark by the Python client of the protocol's authors, and prints what it saw as JSON."""

import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, token: str, mode: str) -> dict:
    progress = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    seen = {}
    async with Client(url, mode=mode) as guest:
        seen["revision"] = guest.protocol_version
        listed = await guest.list_tools()
        seen["tools"] = sorted(tool.name for tool in listed.tools)
        reading = await guest.call_tool("get_momentum_reading", {"asset": "BTC"}, progress_callback=on_progress)
        seen["reading"] = [reading.is_error, reading.structured_content["asset"]]
        mistaken = await guest.call_tool("get_momentum_reading", {"asset": "BTC", "trade_markt": "USDT"})
        seen["mistake"] = [mistaken.is_error, mistaken.structured_content["error"]["nearest"]]
        try:
            await guest.call_tool("get_momentum", {})
        except MCPError as error:
            seen["unknown"] = error.error.message
    seen["progress"] = progress == sorted(progress)
    async with httpx2.AsyncClient(headers={"session-token": token}, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as user:
            answer = await user.call_tool("ask_assistant", {"message": "How is BTC?"})
            seen["account"] = len(answer.content) > 0
    async with httpx2.AsyncClient(headers={"session-token": "x" * 43}, timeout=60) as http:
        answer = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        challenge = answer.headers.get("www-authenticate", "")
        seen["refused"] = "invalid_token" if 'error="invalid_token"' in challenge else challenge
    return seen


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))

"""Calls a tool of the connector and prints its answer. Needs Python 3.10 and `pip install mcp`. Without a token the public
tools answer; with a personal access token those that it allows:

    python3 call_tool.py http://127.0.0.1:3000/mcp get_momentum_reading '{"asset": "BTC"}' [TOKEN]
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, name: str, given: str = "{}", token: str | None = None) -> int:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            answer = await client.call_tool(name, json.loads(given))
    print(json.dumps(answer.structured_content, indent=2))
    return 1 if answer.is_error else 0


sys.exit(asyncio.run(main(*sys.argv[1:])))

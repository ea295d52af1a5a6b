"""A client of the protocol's authors plays ten tasks of a trader with nothing but the list of tools, and prints what it saw as JSON.

It chooses the tool whose name and description share most with the task, rare words counting more, and fills the arguments that the
schema names with what the task says, as it is written. A refusal is answered once by what the error itself says: the nearest value.
"""

import asyncio
import json
import math
import re
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

# A task, what it says by the names that arguments may have, and the field of the answer that serves it.
TASKS = [
    ("Last prices of assets, with their change over 24h", {"assets": ["bitcoin"]}, "prices"),
    ("Which trend state is ethereum in, accumulate or distribute?", {"asset": "ethereum"}, "intervals"),
    ("Find assets with indicator conditions rsi_14 < 70 on the daily", {"conditions": [{"left": "RSI", "op": "<", "right": 70}], "interval": "daily"}, "matched"),
    ("How many coins may I buy: position size by account, risk, entry and stop", {"account_size": "10000", "risk_percent": 1, "entry": 100, "stop": 95}, "quantity"),
    ("Entry, stop and targets for a long trade: plan levels", {"asset": "BTCUSDT", "side": "LONG", "interval": "4H"}, "stop"),
    ("Nearest support and resistance levels", {"asset": "btc", "interval": "60m"}, "above"),
    ("Run a scenario: backtest the preset supertrend on an asset, with return, Sharpe, drawdown and trades", {"asset": "btc/usdt", "strategy": "Supertrend", "period": "1Y"}, "total_return"),
    ("Value at risk of a basket with weights", {"weights": {"btc": 1}}, "horizons"),
    ("My portfolio: every open position and its profit", {}, "positions"),
    ("My balances on each connected exchange", {}, "balances"),
]


def words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 2}


def choose(task: str, tools: list) -> object:
    texts = [words(f"{tool.name.replace('_', ' ')} {tool.description}") for tool in tools]
    rarity = lambda word: math.log(len(texts) / (1 + sum(word in text for text in texts)))
    named = [words(tool.name.replace("_", " ")) for tool in tools]
    asked = words(task)
    score = lambda n: sum(rarity(word) * (2 if word in named[n] else 1) for word in asked & texts[n])
    return tools[max(range(len(tools)), key=score)]


async def main(url: str, token: str) -> dict:
    seen = {"calls": 0, "refusals": [], "missed": []}
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            for task, said, served in TASKS:
                tool = choose(task, tools)
                known = tool.input_schema["properties"]
                arguments = {name: value for name, value in said.items() if name in known}
                answer = await client.call_tool(tool.name, arguments)
                seen["calls"] += 1
                if answer.is_error:
                    error = answer.structured_content["error"]
                    seen["refusals"].append([tool.name, error["message"]])
                    if "nearest" in error:
                        answer = await client.call_tool(tool.name, {**arguments, error["field"]: error["nearest"]})
                        seen["calls"] += 1
                if answer.is_error or served not in answer.structured_content:
                    seen["missed"].append([task, tool.name, sorted(answer.structured_content)])
    return seen


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))

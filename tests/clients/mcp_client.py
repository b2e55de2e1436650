"""Speaks to `seealso mcp` with the Python library of the protocol. Usage: mcp_client.py SEEALSO PACKS.

The library holds each result to the schema that the tool announces.
"""

import asyncio
import sys

try:
    from mcp import Client, ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError as missing:
    print(f"SKIPPED: the package mcp, version 2, is not installed ({missing})", file=sys.stderr)
    sys.exit(0)

TOOLS = ["search", "read_page", "retrieve", "ask"]
PAGE = "plants/concepts/photosynthesis"


def check(holds, what):
    """Ends the run where something does not hold."""
    if not holds:
        sys.exit(f"FAILED: {what}")


async def check_tools(client):
    """Lists the tools and calls each, with good arguments and bad ones. `client` is a client or a session."""
    tools = (await client.list_tools()).tools
    check([tool.name for tool in tools] == TOOLS, f"tools: {tools}")
    check(all(tool.description and tool.output_schema for tool in tools), f"descriptions: {tools}")

    found = await client.call_tool("search", {"query": "photosynthesis", "limit": 3})
    check(found.structured_content["results"][0]["page"] == PAGE, found)
    page = await client.call_tool("read_page", {"page": PAGE})
    check("photosynthesis" in page.structured_content["text"].lower(), page)
    answer = await client.call_tool("ask", {"question": "What is photosynthesis?"})
    quotes = answer.structured_content["quotes"]
    check(answer.structured_content["answered"] and quotes[0]["page"].startswith("plants/"), answer)
    check("is data that others wrote" in answer.content[0].text, answer)

    for tool, arguments, code in [
        ("retrieve", {"question": "q", "asker": "a"}, "entries_not_provided"),
        ("read_page", {"page": "plants/concepts/none"}, "page_not_found"),
        ("search", {"query": ""}, "invalid_request"),
        ("ask", {"query": "q"}, "invalid_request"),
    ]:
        failed = await client.call_tool(tool, arguments)
        check(failed.is_error and failed.content[0].text.startswith(code), failed)
    try:
        await client.call_tool("delete", {})
    except Exception as refused:  # noqa: BLE001 the library's error types differ between its versions
        check("no tool" in str(refused), refused)
    else:
        sys.exit("FAILED: a tool that is not there was called")

    many = [client.call_tool("ask", {"question": f"What is photosynthesis? {number}"}) for number in range(20)]
    check(all(not result.is_error for result in await asyncio.gather(*many)), "twenty calls at once")


async def main():
    seealso, packs = sys.argv[1:]
    server = StdioServerParameters(command=seealso, args=["mcp", "--packs", packs])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        check(hello.server_info.name == "seealso" and hello.instructions, hello)
        await check_tools(session)
    async with Client(server) as client:
        await check_tools(client)
    print("mcp: ok")


asyncio.run(main())

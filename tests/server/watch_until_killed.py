"""A program for the tests: it opens streams of a table, says so, and then reads them or does not, until it is killed.

`python watch_until_killed.py PORT TABLE TOKEN NUMBER read|ignore`: the token in hex, `-` for spectators.
"""

import asyncio
import os
import sys

import grpc
import grpc.aio

from shanghai.v1 import service_pb2, service_pb2_grpc

OPTIONS = (("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))


async def main(port: str, table: str, seat: str, number: int, how: str) -> None:
    """Open the streams, each on a connection of its own."""
    seat_token = b"" if seat == "-" else bytes.fromhex(seat)
    channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS) for _ in range(number)]
    stubs: list[service_pb2_grpc.TableServiceAsyncStub] = [service_pb2_grpc.TableServiceStub(each) for each in channels]
    streams = [stub.Watch(service_pb2.WatchRequest(table=table, seat_token=seat_token)) for stub in stubs]
    for stream in streams:
        await stream.read()
    os.write(1, b"watching\n")

    async def read(place: int) -> None:
        # As the first message was: the library does not let one stream be read in two ways.
        while await streams[place].read() is not grpc.aio.EOF:
            pass

    if how == "read":
        await asyncio.gather(*(read(place) for place in range(number)))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]))

"""Serves one of the programs beside it: a JSON command a line on stdin, a JSON answer a line on stdout.

    python serve.py MODULE DEVICE          DEVICE is cpu or cuda

A module has version(device), names(**case) and make(name, device, **case), which returns a function without
arguments: one call does the work once, waits until it is done, and returns a number, such as the loss.

    {"do": "names", "case": {...}}               names of the programs for a case, the one written first in front
    {"do": "make", "name": ..., "case": {...}}   makes a program ready and calls it: the number it returns
    {"do": "run", "name": ..., "seconds": s}     calls it until s seconds have gone by: the time of each call but the
                                                 first, unless one takes a second or more and is the only one
    {"do": "weights", "name": ...}               the number of weights of the network that it trains
"""
import importlib
import json
import sys
import time

module, device = importlib.import_module(sys.argv[1]), sys.argv[2]
programs = {}


def run(call, seconds):
    times, begin = [], time.perf_counter()
    while not times or len(times) == 1 and times[0] < 1 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times[1:] or times


def answer(do, name=None, case=None, seconds=0):
    if do == "names":
        return module.names(**case)
    if do == "make":
        programs[name] = module.make(name, device, **case)
        return float(programs[name]())
    if do == "run":
        return run(programs[name], seconds)
    return programs[name].weights


print(json.dumps({"version": module.version(device)}), flush=True)
for line in sys.stdin:
    try:
        reply = {"result": answer(**json.loads(line))}
    except Exception as e:  # a program that fails is reported, and the others go on
        reply = {"error": f"{type(e).__name__}: {(str(e).splitlines() or [''])[0][:200]}"}
    print(json.dumps(reply), flush=True)

"""Measure teaagent's findFiles and searchText against ripgrep.

usage: measure.py SERVER DIR    (DIR is filled with 100,000 files if missing)
Prints medians of five calls of one server, and of five runs of rg, in seconds,
and the server's memory at its peak. Exits with 1 if it takes more than twice
rg's time, or ten times for a regular expression.
"""
import json, os, statistics, subprocess, sys, tempfile, time

server, root = sys.argv[1:3]
if not os.path.isdir(root):
    for d in range(1000):
        os.makedirs(f"{root}/{d % 10}/{d}")
        for f in range(100):
            with open(f"{root}/{d % 10}/{d}/f{f}." + ("go" if f % 4 == 0 else "txt"), "w") as out:
                out.write(f"line of text {d} {f}\n" * 20 + ("needle here\n" if f == 7 and d % 100 == 0 else ""))

env = dict(os.environ, TEAAGENT_HOME=tempfile.mkdtemp())
p = subprocess.Popen([server, "mcp", "serve", "--root", root, "--permission-mode", "allow"],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)

def rpc(method, params, wanted=True, id=[0]):
    id[0] += 1
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": id[0]} if wanted else {})
    p.stdin.write(json.dumps(message) + "\n")
    p.stdin.flush()
    while wanted:
        answer = json.loads(p.stdout.readline())
        if answer.get("id") == id[0]:
            assert "error" not in answer and not answer["result"].get("isError"), str(answer)[:300]
            return

def median(run):
    times = []
    for _ in range(5):
        start = time.monotonic()
        run()
        times.append(time.monotonic() - start)
    return statistics.median(times)

rpc("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "measure", "version": "1"}})
rpc("notifications/initialized", {}, wanted=False)
failed = False
for name, most, tool, args, rg in [
    ("files, few found", 2, "findFiles", {"pattern": "f0.go", "limit": 5000}, ["--files", "-g", "f0.go"]),
    ("files, none found", 2, "findFiles", {"pattern": "*.nix"}, ["--files", "-g", "*.nix"]),
    ("literal", 2, "searchText", {"pattern": "needle here", "literal": True, "limit": 1000}, ["-n", "-F", "needle here"]),
    ("literal, in no file", 2, "searchText", {"pattern": "nowhere", "literal": True}, ["-n", "-F", "nowhere"]),
    ("regexp", 10, "searchText", {"pattern": "nee[a-z]+ h.re$", "limit": 1000}, ["-n", "nee[a-z]+ h.re$"]),
    ("regexp, no literal", 10, "searchText", {"pattern": "^[a-m]+ [g-i]{2}[a-z]+$"}, ["-n", "^[a-m]+ [g-i]{2}[a-z]+$"]),
    ("regexp, no case", 10, "searchText", {"pattern": "needle h.re", "ignoreCase": True}, ["-n", "-i", "needle h.re"]),
]:
    ours = median(lambda: rpc("tools/call", {"name": "teaagent_" + tool, "arguments": args}))
    theirs = median(lambda: subprocess.run(["rg", *rg, root], stdout=subprocess.DEVNULL))
    slow = ours > most * theirs
    failed |= slow
    print(f"{name:20} {ours:7.3f} s   rg {theirs:7.3f} s   {ours / theirs:5.2f} times, at most {most}{'   TOO SLOW' if slow else ''}", flush=True)
if os.path.exists(f"/proc/{p.pid}/status"):
    with open(f"/proc/{p.pid}/status") as status:
        print("memory at its peak:", *[line.split(":")[1].strip() for line in status if line.startswith("VmHWM")])
p.stdin.close()
p.wait()
sys.exit(failed)

# The job of the guard as people write it by hand: refuse one command.
import json
import sys

event = json.load(sys.stdin)
bad = event["tool_name"] == "Bash" and "rm -rf" in event["tool_input"]["command"]
answer = {"hookEventName": "PreToolUse", "permissionDecision": "deny" if bad else "allow"}
print(json.dumps({"hookSpecificOutput": answer}))

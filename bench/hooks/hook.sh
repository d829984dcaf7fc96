#!/usr/bin/env bash
# The job of the guard as people write it by hand: refuse one command.
event=$(cat)
tool=$(jq -r .tool_name <<<"$event")
command=$(jq -r .tool_input.command <<<"$event")
decision=allow
if [[ $tool == Bash && $command == *"rm -rf"* ]]; then decision=deny; fi
jq -nc --arg d "$decision" '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: $d}}'

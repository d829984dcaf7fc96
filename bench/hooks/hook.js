// The job of the guard as people write it by hand: refuse one command.
const event = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const bad = event.tool_name === "Bash" && event.tool_input.command.includes("rm -rf");
const answer = { hookEventName: "PreToolUse", permissionDecision: bad ? "deny" : "allow" };
console.log(JSON.stringify({ hookSpecificOutput: answer }));

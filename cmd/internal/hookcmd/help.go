package hookcmd

// Help says how the command is used and how each agent is told about it.
const Help = `Guard an agent: read one hook event on standard input, decide it by the settings that hold where
the agent works, and answer in that agent's words. The agent keeps its own prompts and rules; the
guard adds to them. What cannot be read or decided is denied.

Claude Code, in .claude/settings.json or ~/.claude/settings.json:

  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "assent hook"}]}]}}

Codex, in ~/.codex/hooks.json, then reviewed with /hooks; it is not run before that:

  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "assent hook --agent codex"}]}]}}

Gemini CLI, in .gemini/settings.json; the timeout is in milliseconds:

  {"hooks": {"BeforeTool": [{"matcher": ".*", "hooks": [
    {"type": "command", "command": "assent hook --agent gemini", "timeout": 30000}]}]}}

Cursor, in .cursor/hooks.json or ~/.cursor/hooks.json:

  {"version": 1, "hooks": {"preToolUse": [
    {"command": "assent hook --agent cursor", "failClosed": true}]}}

Copilot CLI, in .github/hooks/assent.json or ~/.copilot/hooks/assent.json:

  {"version": 1, "hooks": {"preToolUse": [
    {"type": "command", "bash": "assent hook --agent copilot", "timeoutSec": 30}]}}

What needs a person is put to the agent's own person where the agent can ask. Codex and Cursor
cannot: while ` + "`assent serve`" + ` runs their calls wait in the inbox for an answer, 50 s for Codex and 15 s
for Cursor, and are denied then with the number of their ticket; once somebody has approved it, the
same call goes through. Settings change that:

  {"assent": {"guard": {
    "wait": "50s",         hold calls so long, also while no server runs; "0s" denies at once.
                           At most 9 minutes for Codex and Claude Code, 15 s for the others
    "inbox": "always",     hold those of agents that can ask as well
    "audit": true}}}       write every decision into the audit log before it is told

Wait and deadline together must be shorter than the time that the agent gives its hooks: most agents
run the call when that has passed.

Usage:
  assent hook [flags]

Flags:
      --agent NAME              claude, codex, gemini, cursor or copilot (default claude)
      --database URL            hold calls in the PostgreSQL that several machines share when no server
                                answers here, as postgres://USER@HOST/NAME (default: $ASSENT_DATABASE,
                                which keeps a password out of the list of processes)
      --deadline DURATION       how long an answer may take; then the call is denied (default 5s). With
                                it calls wait in the inbox only if the settings say how long
      --project DIR             the project whose settings hold (default: the one the agent names, else
                                the one that the directory it works in belongs to)
      --settings FILE|JSON      further settings
      --trust-workspace         let the workspace grant what its settings say
      --wait DURATION           how long a call that needs a person is held, whatever the settings say;
                                leave the agent's timeout longer than that and the deadline together

The exit status is what the agent needs: 0 with an answer, 2 where that blocks. No status blocks
every agent: to Codex and Gemini CLI the answer counts, so a mistake in these flags is answered with
a denial, too, as long as the agent can be made out.
`

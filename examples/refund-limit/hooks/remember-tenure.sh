#!/bin/sh
# PostToolUse of get_customer: remember how long the customer has been one.
set -eu
event=$(cat)
pick() { printf '%s' "$event" | assent pick "/tool_response/0/text/$1"; }

# The answer was not about a customer: nothing to remember.
id=$(pick id) || exit 0
tenure=$(pick tenure) || exit 0

# The id stands in the key as JSON, quotes and all. Without them $( ) would drop line
# feeds at its end, and two customers could share a key.
assent state set "tenure/$id" "$tenure"

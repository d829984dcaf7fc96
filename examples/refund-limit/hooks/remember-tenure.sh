#!/bin/sh
# PostToolUse of get_customer: remember how long the customer has been one.
set -eu
event=$(cat)
# given prints a value of the answer. With status 1 there is none: it was not about a
# customer, and there is nothing to remember. Anything else is a fault.
given() { printf '%s' "$event" | assent pick "/tool_response/0/text/$1"; }
nothing() {
	[ "$1" -ne 1 ] || exit 0
	exit "$1"
}

id=$(given id) || nothing $?
tenure=$(given tenure) || nothing $?

# The id stands in the key as JSON, quotes and all. Without them $( ) would drop line
# feeds at its end, and two customers could share a key.
assent state set "tenure/$id" "$tenure"

#!/bin/sh
# PreToolUse of process_refund: how much may be refunded depends on the customer's
# tenure. Exit status 2 denies the call, and the model reads what is on stderr. A
# script that fails in any other way denies it, too, and is reported as broken.
set -eu
event=$(cat)
deny() {
	printf '%s\n' "Refund denied: $1. Use escalate_to_human instead, with the customer, the order, the amount and the reason." >&2
	exit 2
}
# given prints a value of the refund. Only status 1 says that there is none; with any
# other the event could not be read, which is no fault of the refund.
given() {
	printf '%s' "$event" | assent pick "/tool_input/$1" || {
		status=$?
		[ "$status" -ne 1 ] || deny "it has no $1"
		exit "$status"
	}
}

id=$(given customer_id)
amount=$(given amount)

tenure=$(assent state get --default unknown "tenure/$id")
case $tenure in
'"new"') limit=100 ;;
'"regular"') limit=300 ;;
'"vip"') limit=1000 ;;
'"unknown"') deny "nobody has looked customer $id up in this session (get_customer does)" ;;
*) deny "there is no limit for customers who are $tenure" ;;
esac

case $amount in
*[!0-9.]*) deny "the amount $amount is not a plain number of dollars such as 12.50" ;;
esac
# Only a comparison that worked lets the refund through, or speaks against it.
awk -v amount="$amount" -v limit="$limit" 'BEGIN { exit !(amount + 0 <= limit + 0) }' || {
	[ $? -ne 1 ] || deny "\$$amount is more than the \$$limit that a $tenure customer may get"
	exit 3
}

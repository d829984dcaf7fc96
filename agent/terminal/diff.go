package terminal

// change is one line of a difference.
type change struct {
	mark string // "+ ", "- " or "  "
	line string
}

// maxCompared is how many pairs of lines are compared for the shortest difference.
// Beyond it the whole middle stands as removed and added: longer, and as true.
const maxCompared = 1 << 20

// around is how many lines that stay are shown beside a change.
const around = 2

// difference is what makes one list of lines of another, with every line of both.
func difference(before, after []string) []change {
	var changes []change
	add := func(mark string, lines []string) {
		for _, l := range lines {
			changes = append(changes, change{mark, l})
		}
	}
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	old, now := before[head:len(before)-tail], after[head:len(after)-tail]
	add("  ", before[:head])
	if len(old)*len(now) <= maxCompared {
		changes = append(changes, shortest(old, now)...)
	} else {
		add("- ", old)
		add("+ ", now)
	}
	add("  ", before[len(before)-tail:])
	return changes
}

// shortest compares every line with every other: common[i][j] is how many lines the ends
// from i and j have in common.
func shortest(old, now []string) []change {
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var changes []change
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			changes = append(changes, change{"  ", old[i]})
			i, j = i+1, j+1
		case j == len(now) || i < len(old) && common[i+1][j] >= common[i][j+1]:
			changes = append(changes, change{"- ", old[i]})
			i++
		default:
			changes = append(changes, change{"+ ", now[j]})
			j++
		}
	}
	return changes
}

// near leaves out what stays and is not beside a change. A gap of one line is no gap.
func near(changes []change) []change {
	keep := make([]bool, len(changes))
	for i, c := range changes {
		if c.mark == "  " {
			continue
		}
		for k := max(0, i-around); k <= min(len(changes)-1, i+around); k++ {
			keep[k] = true
		}
	}
	var out []change
	for i := 0; i < len(changes); {
		if keep[i] {
			out = append(out, changes[i])
			i++
			continue
		}
		gap := i
		for i < len(changes) && !keep[i] {
			i++
		}
		if i-gap == 1 {
			out = append(out, changes[gap])
		} else {
			out = append(out, change{gapMark, ""})
		}
	}
	return out
}

// gapMark stands for lines that stay as they are.
const gapMark = "…"

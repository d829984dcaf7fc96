package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// Key is a key of a settings file and where it stands.
type Key struct {
	// Path names it from the top, "permissions.alow"; what could deceive a reader is
	// escaped.
	Path string
	Line int // from 1
}

// treatment is what becomes of a key that settings files of the vendor may have.
type treatment uint8

const (
	// unheardOf: the key is in none of the lists below.
	unheardOf treatment = iota
	// honoured: assent does what it says.
	honoured
	// limiting: it restricts in a way that assent does not know. What runs tools does not start
	// with it, and nothing drops it without a word.
	limiting
	// limitingManaged, limitingFlag: the same, in managed settings or in --settings only; elsewhere it
	// means nothing, which is reported.
	limitingManaged
	limitingFlag
	// limitingAgent, limitingManagedAgent: as limiting and limitingManaged, for who runs an agent of
	// assent. A guard asks no model, so that without it nothing is laxer there.
	limitingAgent
	limitingManagedAgent
	// noted: it demands something of the vendor's program. It is reported and otherwise ignored.
	noted
	// harmless: without it nothing is allowed that it would have forbidden.
	harmless
)

// keyPath is where a key stands: at the top if parent is empty, else in the object of that name. A name
// with a dot in it is a name like any other.
type keyPath struct{ parent, name string }

func (k keyPath) String() string {
	if k.parent == "" {
		return keyName(k.name)
	}
	return k.parent + "." + keyName(k.name)
}

// keyName is the name of a key in a sentence, in quotes where it would be misread without.
func keyName(name string) string {
	if name == "" || strings.Map(letterOrDigit, name) != strings.NewReplacer("_", "", "$", "", "-", "").Replace(name) {
		return strconv.Quote(name)
	}
	return visible(name)
}

// vendorKeys are the keys of the vendor's settings, at the top and under "permissions", "sandbox" and
// "autoMode", each with what becomes of it and why. Here, and nowhere else, a dot stands between a
// parent and a name.
var vendorKeys = []struct {
	treatment treatment
	why, keys string
}{
	{honoured, "", "permissions hooks disableAllHooks env mcpServers enableAllProjectMcpServers enabledMcpjsonServers disabledMcpjsonServers assent " +
		"permissions.allow permissions.ask permissions.deny permissions.additionalDirectories permissions.defaultMode permissions.disableBypassPermissionsMode sandbox"},

	{honoured, "", "permissions.blockReadsOutsideWorkingDirectories permissions.blockWritesOutsideWorkingDirectories permissions.blockReadsExemptPaths " +
		"permissions.denyInsteadOfPrompting permissions.disableAutoMode disableAutoMode autoMode allowManagedPermissionRulesOnly allowManagedHooksOnly " +
		"allowedMcpServers deniedMcpServers allowManagedMcpServersOnly allowedHttpHookUrls httpHookAllowedEnvVars disableSideloadFlags " +
		"autoMode.hard_deny autoMode.soft_deny autoMode.classifyAllShell"},

	{limitingFlag, "keeps links out of the working directories", "permissions.workingDirectoriesAsGiven"},
	{limiting, "names an agent whose tools are restricted", "agent"},
	{limitingAgent, "says which models may be used", "availableModels enforceAvailableModels availableModelsMatch deniedModels"},
	{limitingManagedAgent, "says which providers may be used", "allowedProviders"},
	{limitingManaged, "takes hooks, agents and servers from plugins only", "strictPluginOnlyCustomization"},
	{limitingManaged, "names a program that makes the managed settings", "policyHelper"},
	{limitingManaged, "waits for settings of a server", "forceRemoteSettingsRefresh"},
	{limitingManagedAgent, "demands a sign-in to the vendor's services", "forceLoginMethod forceLoginOrgUUID"},

	{noted, "speaks of the vendor's version and means nothing to assent", "requiredMinimumVersion requiredMaximumVersion"},

	{harmless, "is about the vendor's versions", "minimumVersion autoUpdatesChannel"},
	{harmless, "tells the vendor's classifier what to let through", "autoMode.allow autoMode.environment"},
	{harmless, "only widens where the vendor's auto mode works, or is about its dialogue", "useAutoModeDuringPlan skipAutoPermissionPrompt"},
	{harmless, "is about commands that run no shell here", "disableSkillShellExecution"},
	{harmless, "is about looks, keys and what the vendor's terminal shows", "$schema theme editorMode keybindingFlavor vimInsertModeRemaps verbose viewMode defaultView outputStyle " +
		"language statusLine subagentStatusLine prUrlTemplate footerLinksRegexes spinnerTipsEnabled spinnerVerbs spinnerTipsOverride syntaxHighlightingDisabled " +
		"maxProseWidth spellcheck terminalTitleFromRename promptSuggestionEnabled emojiCompletionEnabled showClearContextOnPlanAccept companyAnnouncements tui voice " +
		"voiceEnabled prefersReducedMotion timeFormat timeZone showThinkingSummaries autoScrollEnabled wheelScrollAccelerationEnabled showTurnDuration " +
		"showMessageTimestamps terminalProgressBarEnabled todoFeatureEnabled fileSuggestion respectGitignore feedbackSurveyRate feedbackDrafts preferredNotifChannel " +
		"inputNeededNotifEnabled agentPushNotifEnabled bashEditDiffEnabled respondToBashCommands defaultShell disableDeepLinkRegistration"},
	{harmless, "is about how much is said, and how", "model fallbackModel modelOverrides modelPicker modelPricing modelSettings alwaysThinkingEnabled effortLevel maxEffortLevel " +
		"ultracode autoCompactWindow autoCompactEnabled precomputeCompactionEnabled idleCompaction advisorModel fastMode fastModePerSessionOptIn promptCacheTtl " +
		"subagentPromptCacheTtl switchModelsOnFlag autoContinueAtUsageLimit bashOutputMaxChars taskOutputMaxChars skillListingMaxDescChars skillListingBudgetFraction " +
		"attribution attributionProject attributionProjectPolicy includeCoAuthoredBy includeGitInstructions claudeMd claudeMdExcludes"},
	{harmless, "is about signing in to the vendor's services", "apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh otelHeadersHelper " +
		"forceLoginGatewayUrl gatewayInternalNetworks allowNestedModelAccessUnderForceLogin"},
	{harmless, "is about features that assent does not have", "processWrapper syncClaudeAiSkills syncClaudeAiPlugins disableClaudeAiConnectors skillOverrides disableBundledSkills " +
		"allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp enabledPlugins prependPlugins appendPlugins extraKnownMarketplaces additionalMarketplaces " +
		"strictKnownMarketplaces allowedMarketplaces blockedMarketplaces disableCommandPluginSources pluginSuggestionMarketplaces pluginTrustMessage pluginConfigs " +
		"worktree disableReplyCheck disableAgentView disableRemoteControl disableWorkflows disableArtifact enableArtifact enableWorkflows workflowSizeGuideline " +
		"workflowKeywordTriggerEnabled disableWindowsBashCommandSplit remote channelsEnabled allowedChannelPlugins autoMemoryEnabled autoMemoryDirectory " +
		"autoDreamEnabled sshConfigs sshHostCommands fileCheckpointingEnabled teammateMode remoteControlAtStartup isolatePeerMachines daemonColdStart " +
		"crossSessionInbound autoUploadSessions managedMcpServers wslInheritsWindowsSettings parentSettingsBehavior managedSourcesBehavior"},
	{harmless, "is about what is kept, which assent has its own settings for", "cleanupPeriodDays desktopSessionCleanupPeriodDays plansDirectory"},
	{harmless, "is about questions in the vendor's terminal; a parked call waits here", "askUserQuestionTimeout dialogExpiry"},
	{harmless, "is about a dialogue or a look-up that does not exist here", "skipDangerousModePermissionPrompt skipWebFetchPreflight"},

	{harmless, "is about how a sandbox is made, or only loosens it", "sandbox.autoAllowBashIfSandboxed sandbox.excludedCommands sandbox.ignoreViolations sandbox.enableWeakerNestedSandbox " +
		"sandbox.allowNestedUserNamespaces sandbox.enableWeakerNetworkIsolation sandbox.allowAppleEvents sandbox.ripgrep sandbox.bwrapPath sandbox.socatPath"},
	{harmless, "is about what a sandbox lets through, and sandbox.enabled says that there is none", "sandbox.network sandbox.filesystem sandbox.credentials"},
	{honoured, "", "sandbox.enabled sandbox.failIfUnavailable sandbox.allowUnsandboxedCommands"},
}

// onlyListed are the keys whose lists say what may be used. An empty one is the strictest: nothing may.
var onlyListed = []string{"availableModels", "allowedProviders", allowedServersKey, hookURLsKey, hookVariablesKey}

// plainWords are keys that mean nothing without what stands around them, and those that only grant:
// below a key that nobody knows they may well be about something else.
var plainWords = []string{"enabled", "env", "allow", "additionalDirectories", "mcpServers", "enableAllProjectMcpServers", "enabledMcpjsonServers"}

// groupOf is the index in vendorKeys of each key, as it is written there.
var groupOf = sync.OnceValue(func() map[string]uint8 {
	all := make(map[string]uint8, 512)
	for i, group := range vendorKeys {
		for key := range strings.SplitSeq(group.keys, " ") {
			all[key] = uint8(i)
		}
	}
	return all
})

// keysRead are the keys that are not harmless to leave out, in the order of the lists.
var keysRead = sync.OnceValue(func() []keyPath {
	all := make([]keyPath, 0, 64)
	for _, group := range vendorKeys {
		if group.treatment == harmless || group.treatment == noted {
			continue
		}
		for key := range strings.SplitSeq(group.keys, " ") {
			if parent, name, nested := strings.Cut(key, "."); nested {
				all = append(all, keyPath{parent, name})
			} else {
				all = append(all, keyPath{name: key})
			}
		}
	}
	return all
})

// KnownKey reports whether a key, at the top or of a parent such as "permissions", means something to
// assent or to the vendor.
func KnownKey(parent, name string) bool {
	how, _ := vendorKey(keyPath{parent, name})
	return how != unheardOf
}

// ReadKeys are the keys under a parent, "" or "permissions", "sandbox" or "autoMode", that are not
// harmless to leave out.
func ReadKeys(parent string) []string { return readKeys()[parent] }

var readKeys = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, key := range keysRead() {
		all[key.parent] = append(all[key.parent], key.name)
	}
	return all
})

// StrayKey finds the key that one at the top was meant for, which nobody reads there: permissions.deny
// written as "deny", "Deny" or "permissions.deny". parent is empty for a key that belongs to the top.
func StrayKey(name string) (parent, key string, ok bool) {
	if KnownKey("", name) {
		return "", "", false
	}
	for _, k := range keysRead() {
		if sameWord(name, k.name) || sameWord(name, k.parent+k.name) {
			return k.parent, k.name, true
		}
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("./:", r) }) {
		for _, k := range keysRead() {
			if sameWord(part, k.name) && !slices.Contains(plainWords, k.name) {
				return k.parent, k.name, true
			}
		}
	}
	return "", "", false
}

// sameWord: two keys differ in letter case and in signs between their letters at most.
func sameWord(a, b string) bool {
	for {
		var r, s rune
		r, a = nextLetter(a)
		s, b = nextLetter(b)
		switch {
		case r != s && unicode.ToLower(unicode.ToUpper(r)) != unicode.ToLower(unicode.ToUpper(s)):
			return false
		case r == utf8.RuneError && a == "":
			return b == "" && s == r
		}
	}
}

// nextLetter is the first letter or digit of a text, and what follows it.
func nextLetter(text string) (letter rune, rest string) {
	for i, r := range text {
		if letterOrDigit(r) >= 0 {
			return r, text[i+utf8.RuneLen(r):]
		}
	}
	return utf8.RuneError, ""
}

func letterOrDigit(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// vendorKey is what becomes of a key, and why.
func vendorKey(at keyPath) (treatment, string) {
	written := at.name
	if at.parent != "" {
		written = at.parent + "." + at.name
	}
	i, listed := groupOf()[written]
	if !listed || strings.Contains(at.name, ".") { // a dot in a name is no level
		return unheardOf, ""
	}
	return vendorKeys[i].treatment, vendorKeys[i].why
}

// strayLimit finds, in a key that nobody knows and in all that stands below it, one that was meant to
// restrict.
func strayLimit(written string, m strictjson.Member) (stray, meant keyPath, at strictjson.Node, ok bool) {
	name := m.Name.Text()
	stray = keyPath{written, name}
	parent, key, found := StrayKey(name)
	if how, _ := vendorKey(keyPath{name: name}); how != unheardOf && how != harmless && how != noted { // it belongs to the top
		key, found = name, written != ""
	}
	meant = keyPath{parent, key}
	if found && restricts(meant, m.Value) && !(written != "" && slices.Contains(plainWords, key)) {
		return stray, meant, m.Name, true
	}
	return strayBelow(stray.String(), m.Value)
}

func strayBelow(written string, value strictjson.Node) (stray, meant keyPath, at strictjson.Node, ok bool) {
	switch value.Kind {
	case '{':
		for _, m := range value.Members() {
			if stray, meant, at, ok = strayLimit(written, m); ok {
				return stray, meant, at, true
			}
		}
	case '[':
		for n := range value.Elements() {
			if stray, meant, at, ok = strayBelow(written, n); ok {
				return stray, meant, at, true
			}
		}
	}
	return keyPath{}, keyPath{}, strictjson.Node{}, false
}

// limit is a key that restricts in a way that assent cannot keep.
type limit struct {
	kind Kind // of the report where it does not stop the start
	// refused is what stops the start.
	refused *BrokenError
	key     entry       // its name
	only    rule.Source // in which it counts; zero means all
	// starters: who starts the MCP servers can keep it.
	starters bool
	// agents: it is only about agents of assent.
	agents bool
}

// countsIn reports whether the limit means something in a file of that source.
func (l limit) countsIn(source rule.Source) bool {
	return l.only == 0 || l.only == source
}

// noteKey remembers what a key that assent gives no meaning to may have been meant for: a limit, or
// a known one that is misspelt. Under "permissions" and "sandbox" any unknown key may be a limit.
func (r *reader) noteKey(c *content, parent string, m member) {
	key := keyPath{parent, m.name}
	if r.limit(c, key, m) {
		return
	}
	l, meant := limit{kind: NotEnforced}, key
	hint := "say it with deny and ask rules, or take it out of this file"
	how, why := vendorKey(key)
	why += ", which assent does not enforce"
	switch how {
	case honoured, harmless:
		return
	case noted:
		c.ignored = append(c.ignored, entry{text: key.String() + " " + strings.TrimSuffix(why, ", which assent does not enforce"), line: m.line})
		return
	case unheardOf:
		c.unknown = append(c.unknown, Key{Path: key.String(), Line: m.line})
		if parent == "" {
			r.noteStray(c, m)
			return
		}
		l.kind, why = UnknownKey, "is not known and may restrict"+why
		if into, name, stray := StrayKey(m.name); stray {
			meant = keyPath{into, name}
		}
	case limiting:
	case limitingManaged:
		l.only, hint = rule.PolicySettings, vendorHint
	case limitingAgent:
		l.agents, hint = true, vendorHint
	case limitingManagedAgent:
		l.only, l.agents, hint = rule.PolicySettings, true, vendorHint
	case limitingFlag:
		l.only = rule.FlagSettings
	}
	if restricts(meant, m.value) {
		l.key = entry{text: key.String(), line: m.line}
		l.refused = r.broken(m.value.Start(), key.String()+" "+why, hint)
		c.limiting = append(c.limiting, l)
	}
}

// noteStray remembers a limit that stands where nobody reads it.
func (r *reader) noteStray(c *content, m member) {
	stray, meant, at, ok := strayLimit("", strictjson.Member{Name: m.at, Value: m.value})
	if !ok {
		return
	}
	l := limit{kind: NotEnforced, key: entry{text: stray.String(), line: r.line(at)}}
	if stray.parent == "" {
		l.kind = UnknownKey // which lint names with a suggestion
	}
	where, hint := "stands outside of "+meant.parent, fmt.Sprintf("write %q: {%q: …}", meant.parent, meant.name)
	if meant.parent == "" {
		where, hint = "does not stand at the top", fmt.Sprintf("write %q at the top", meant.name)
	}
	l.refused = r.broken(at.Start(), stray.String()+" "+where+", so that it counts for nothing", hint)
	c.limiting = append(c.limiting, l)
}

// vendorHint: only the vendor's agent keeps such a limit.
const vendorHint = "put the guard before the vendor's agent with `assent init`, or have it taken out of this file by whoever may"

// restricts: the value makes a limit of the key.
func restricts(key keyPath, value strictjson.Node) bool {
	switch {
	case key == (keyPath{"sandbox", "allowUnsandboxedCommands"}):
		return value.Kind != 't' && value.Kind != 'n'
	case value.Kind == '[' && slices.Contains(onlyListed, key.name):
		return true
	}
	return says(value)
}

// says: the value is more than nothing: not false, null, 0, "" or an empty list or object.
func says(value strictjson.Node) bool {
	switch value.Kind {
	case 'f', 'n':
		return false
	case '"':
		return value.Text() != ""
	case '[':
		for range value.Elements() {
			return true
		}
		return false
	case '{':
		return len(value.Members()) > 0
	}
	return value.Raw() != "0"
}

package settings

import (
	"slices"
	"strings"
	"sync"

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
	// means nothing.
	limitingManaged
	limitingFlag
	// limitingAgent: as limitingManaged, for who runs an agent of assent. A guard asks no model, so that
	// without it nothing is laxer there.
	limitingAgent
	// harmless: without it nothing is allowed that it would have forbidden.
	harmless
)

// vendorKeys are the keys of the vendor's settings, at the top and under "permissions" and
// "sandbox", each with what becomes of it and why.
var vendorKeys = []struct {
	treatment treatment
	why, keys string
}{
	{honoured, "", "permissions hooks disableAllHooks env mcpServers enableAllProjectMcpServers enabledMcpjsonServers disabledMcpjsonServers assent " +
		"permissions.allow permissions.ask permissions.deny permissions.additionalDirectories permissions.defaultMode permissions.disableBypassPermissionsMode sandbox"},

	{honoured, "", "permissions.blockReadsOutsideWorkingDirectories permissions.blockWritesOutsideWorkingDirectories permissions.blockReadsExemptPaths " +
		"permissions.denyInsteadOfPrompting permissions.disableAutoMode disableAutoMode autoMode allowManagedPermissionRulesOnly allowManagedHooksOnly " +
		"allowedMcpServers deniedMcpServers allowManagedMcpServersOnly allowedHttpHookUrls httpHookAllowedEnvVars disableSideloadFlags"},

	{limitingFlag, "keeps links out of the working directories", "permissions.workingDirectoriesAsGiven"},
	{limiting, "names an agent whose tools are restricted", "agent"},
	{limitingAgent, "says which models may be used", "availableModels enforceAvailableModels availableModelsMatch deniedModels"},
	{limitingAgent, "says which providers may be used", "allowedProviders"},
	{limitingManaged, "takes hooks, agents and servers from plugins only", "strictPluginOnlyCustomization"},
	{limitingManaged, "names a program that makes the managed settings", "policyHelper"},
	{limitingManaged, "waits for settings of a server", "forceRemoteSettingsRefresh"},
	{limitingAgent, "demands a sign-in to the vendor's services", "forceLoginMethod forceLoginOrgUUID"},

	{harmless, "is about the vendor's versions", "minimumVersion requiredMinimumVersion requiredMaximumVersion autoUpdatesChannel"},
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
var onlyListed = []string{"availableModels", "allowedProviders"}

// KnownKey reports whether a key, named from the top ("permissions.allow"), means something to
// assent or to the vendor.
func KnownKey(path string) bool {
	how, _ := vendorKey(path)
	return how != unheardOf
}

// ReadKeys are the keys under a parent, "" or "permissions." or "sandbox.", that are not harmless to
// leave out.
func ReadKeys(parent string) []string {
	var all []string
	for _, group := range vendorKeys {
		if group.treatment == harmless {
			continue
		}
		for key := range strings.FieldsSeq(group.keys) {
			if name, ok := strings.CutPrefix(key, parent); ok && !strings.Contains(name, ".") {
				all = append(all, name)
			}
		}
	}
	return all
}

var readKeys = sync.OnceValue(func() []string { return ReadKeys("") })

// MovedInto is the key in which one at the top was meant to stand, "permissions" or "sandbox"; empty
// if it is no key of theirs.
func MovedInto(name string) string {
	for _, parent := range []string{"permissions", "sandbox"} {
		if how, _ := vendorKey(parent + "." + name); how != unheardOf && how != harmless {
			return parent
		}
	}
	return ""
}

// vendorKey is what becomes of a key, and why.
func vendorKey(path string) (treatment, string) {
	for _, group := range vendorKeys {
		for key := range strings.FieldsSeq(group.keys) {
			if key == path {
				return group.treatment, group.why
			}
		}
	}
	return unheardOf, ""
}

// limit is a key that restricts in a way that assent cannot keep.
type limit struct {
	kind Kind // of the report where it does not stop the start
	// refused is what stops the start.
	refused *BrokenError
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
	key := parent + m.name
	if r.limit(c, key, m) {
		return
	}
	l := limit{kind: NotEnforced}
	hint := "say it with deny and ask rules, or take it out of this file"
	how, why := vendorKey(key)
	why += ", which assent does not enforce"
	switch how {
	case honoured, harmless:
		return
	case unheardOf:
		c.unknown = append(c.unknown, Key{Path: visible(key), Line: m.line})
		l.kind, why = UnknownKey, "is not known and may restrict"+why
		if parent == "" {
			into := MovedInto(m.name)
			if into == "" {
				return
			}
			why, hint = "stands outside of "+into+", where it counts for nothing", `move it into "`+into+`"`
		}
	case limiting:
	case limitingManaged:
		l.only, hint = rule.PolicySettings, managedHint
	case limitingAgent:
		l.only, l.agents, hint = rule.PolicySettings, true, managedHint
	case limitingFlag:
		l.only = rule.FlagSettings
	}
	if says(m.value) || m.value.Kind == '[' && slices.Contains(onlyListed, key) {
		l.refused = r.broken(m.value.Start(), visible(key)+" "+why, hint)
		c.limiting = append(c.limiting, l)
	}
}

// managedHint: whoever starts assent can seldom change what the administrator says.
const managedHint = "put the guard before the vendor's agent with `assent init`, or have the administrator take it out of this file"

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

package lint

import "strings"

// verbs are the words that a tool's name and its description may start with.
// A verb that is missing here is missing by oversight: add it.
var verbs = func() map[string]bool {
	set := make(map[string]bool)
	for _, verb := range strings.Fields(`
abort accept access acknowledge acquire activate adapt add adjust aggregate align allocate allow amend analyze analyse annotate
answer append apply approve archive arrange ask assemble assert assess assign associate attach audit authenticate authorize
back backfill balance ban begin benchmark bind blame block book bookmark boot bootstrap branch break broadcast browse buffer build
bump bundle cache calculate call cancel capture cast change charge chart check checkout cherry-pick choose claim classify clean
cleanup clear click clip clone close cluster collapse collect combine comment commit compact compare compile complete compose
compress compute concatenate configure confirm connect consolidate consume contact contain continue control convert cool copy
cordon correct correlate count crawl create crop cross-check cut
deactivate debug decode decompress decrease decrypt deduplicate defer define delegate delete deliver demote deny deploy
deprecate dequeue derive describe deselect design destroy detach detect determine diagnose diff disable disassociate discard
disconnect discover dismiss dispatch display dispose distribute divide dock document downgrade download draft drag drain draw
drive drop dump duplicate
echo edit eject elect embed emit empty enable encode encrypt end enforce enqueue enrich enroll ensure enter enumerate erase
escalate establish estimate evaluate evict examine exchange exclude execute exit expand expire explain explore export expose
extend extract
fail fast-forward feed fetch fill filter finalize find finish fire fix flag flash flatten flip flush focus follow force fork
format forward freeze fuse
gather generate get give go grab grade grant graph grep group guess
halt handle hash hibernate hide highlight hold hover
identify ignore import improve include increase increment index infer inform ingest init initialize inject insert inspect install
instantiate integrate interpolate interpret interrupt introspect invalidate invert invite invoke isolate issue
join jump
keep kick kill
label launch lay leave lend link lint list listen load localize locate lock log login logout look lower
mail maintain make manage map mark mask match measure mention merge migrate mint mirror mock model modify monitor mount move
multiply mute
name navigate negotiate normalize notify number
observe obtain offer offload onboard open operate optimize order organize output override overwrite own
pack package page paint pair parse partition paste patch pause pay perform permit persist pick pin ping pipe place plan play plot
point poll populate post power preempt prepare prepend present preserve press prevent preview print prioritize probe process
produce profile project promote prompt propose protect provide provision proxy prune publish pull purchase purge push put
qualify quantify quarantine query queue quit quote
raise randomize rank rate reach read rearrange reassign rebalance rebase reboot rebuild recalculate receive reclaim recognize
recommend reconcile reconnect reconstruct record recover recreate recycle redeploy redirect redo reduce reencode reference refine
reformat refresh refund regenerate register reindex reinstall reject relate release reload relocate rely remember remind remove
rename render renew reopen reorder repair repeat replace replay replicate reply report repost reproduce request require rerun
reschedule reserve reset resize resolve respond restart restore restrict resume retire retrieve retry return reveal reverse revert
review revise revoke rewind rewrite roll rollback rotate round route run
sample sanitize save scale scan schedule score scrape screenshot scroll seal search secure seed seek segment select sell send
separate serialize serve set settle setup shard share shift shorten show shrink shuffle shut shutdown sign signal simulate skip
sleep slice snapshot snooze solve sort spawn specify split spot stage star start stash stat step stop store stream stress strip
structure style submit subscribe substitute subtract suggest sum summarize supply suppress surface survey suspend swap switch sync
synchronize synthesize
tag tail take tap teach tell terminate test throttle throw tie time toggle touch trace track train transcode transcribe transfer
transform translate transmit transpose traverse triage trigger trim truncate tune turn type
unarchive unassign unban unblock uncordon undelete undeploy undo uninstall unlink unlock unmap unmerge unmount unmute unpack unpin
unpublish unregister unset unshare unstage unstar unsubscribe unwatch unzip update upgrade upload upsert use utilize
vacuum validate verify view visit visualize vote
wait wake walk warm warn watch wipe withdraw work wrap write yank zip zoom`) {
		set[verb] = true
	}
	return set
}()

// baseForm returns the verb that word is a form of: "lists", "listing" and
// "listed" are forms of "list", and so is "list". Word is in lower case.
func baseForm(word string) (verb string, ok bool) {
	if verbs[word] {
		return word, true
	}
	if base, found := strings.CutPrefix(word, "re-"); found && verbs[base] {
		return word, true
	}
	for _, ending := range [...]struct{ from, to string }{
		{"ies", "y"}, {"es", ""}, {"s", ""},
		{"ying", "y"}, {"ing", ""}, {"ing", "e"},
		{"ied", "y"}, {"ed", ""}, {"d", ""},
	} {
		stem, found := strings.CutSuffix(word, ending.from)
		if !found || len(stem) < 2 {
			continue
		}
		if verbs[stem+ending.to] {
			return stem + ending.to, true
		}
		if n := len(stem); ending.to == "" && stem[n-1] == stem[n-2] && verbs[stem[:n-1]] { // stopping
			return stem[:n-1], true
		}
	}
	return "", false
}

package org.berth.mcp;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.activity.WorkScope;
import org.berth.problem.BerthException;
import org.berth.work.ClosureReason;
import org.berth.work.WorkAction;
import org.berth.work.WorkChange;
import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;
import org.berth.work.WorkTransition;
import org.berth.work.service.NewWork;
import org.berth.work.service.QueueQuery;
import org.berth.work.service.QueueService;

/** The queue's tools: a seat sees what it assigned or has to do, within the rigs of its grant. */
@ApplicationScoped
public class QueueTools {
    private static final int MAX_ID = 160;
    private static final int MAX_SEAT = 320;
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 100;

    @Inject
    private QueueService queue;

    List<RigTool> tools() {
        return List.of(
                new RigTool(
                        "rig_queue_list",
                        "Work items between you and your team, newest first.",
                        RigTool.Effect.READ_ONLY,
                        this::list),
                new RigTool("rig_queue_show", "One work item with its history.", RigTool.Effect.READ_ONLY, this::show),
                new RigTool(
                        "rig_queue_create",
                        "Asks a seat of your rigs, or yourself, to do something.",
                        RigTool.Effect.ADDITIVE,
                        this::create),
                new RigTool(
                        "rig_queue_claim",
                        "Takes a pending item that you have to do into work.",
                        RigTool.Effect.ADDITIVE,
                        this::claim),
                new RigTool(
                        "rig_queue_update",
                        "Moves an item to another state, closes it with a reason, reopens it, or adds a note.",
                        RigTool.Effect.DESTRUCTIVE,
                        this::update));
    }

    private Map<String, Object> list(WorkScope scope, Arguments arguments) {
        String role = arguments.has("role") ? arguments.text("role", MAX_ID) : "owner";
        QueueQuery query = new QueueQuery(
                role.equals("owner") ? scope.seat() : null,
                role.equals("assigner") ? scope.seat() : null,
                role.equals("any") ? scope.seat() : null,
                null,
                arguments.has("state") ? state(arguments) : null,
                null,
                false,
                null,
                arguments.has("limit") ? (int) arguments.whole("limit", 1, MAX_PAGE) : PAGE);
        if (!Set.of("owner", "assigner", "any").contains(role)) {
            throw BerthException.invalid("role must be owner, assigner or any");
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "items",
                queue.page(caller(scope), query).stream()
                        .filter(item -> scope.sees(item.selection()))
                        .map(QueueTools::view)
                        .toList());
        return tree;
    }

    private Map<String, Object> show(WorkScope scope, Arguments arguments) {
        WorkItem item = seen(scope, arguments);
        Map<String, Object> tree = view(item);
        tree.put(
                "transitions",
                queue.transitions(caller(scope), item.qitemId(), 0, MAX_PAGE).stream()
                        .map(QueueTools::view)
                        .toList());
        return tree;
    }

    private Map<String, Object> create(WorkScope scope, Arguments arguments) {
        String destination = arguments.text("destinationSession", MAX_SEAT);
        if (!scope.reaches(destination)) {
            throw Scope.outside();
        }
        NewWork work = new NewWork(
                arguments.optional("qitemId", MAX_ID),
                destination,
                arguments.text("body", WorkItem.MAX_BODY),
                arguments.has("priority")
                        ? WorkPriority.parse(arguments.text("priority", MAX_ID))
                                .orElseThrow(
                                        () -> BerthException.invalid("priority must be routine, urgent or critical"))
                        : WorkPriority.ROUTINE,
                arguments.has("tags")
                        ? Arguments.strings("tags", arguments.members().get("tags"))
                        : List.of(),
                arguments.flag("nudge"));
        return view(queue.create(scope.actor(), work).item());
    }

    private Map<String, Object> claim(WorkScope scope, Arguments arguments) {
        WorkChange change = WorkChange.claim(arguments.optional("transitionNote", WorkItem.MAX_NOTE));
        return change(scope, seen(scope, arguments), change);
    }

    private Map<String, Object> update(WorkScope scope, Arguments arguments) {
        String note = arguments.optional("transitionNote", WorkItem.MAX_NOTE);
        boolean reopen = arguments.flag("reopen");
        WorkItem item = seen(scope, arguments);
        if (!arguments.has("state") && !reopen) {
            if (note == null) {
                throw BerthException.invalid("state, reopen or transitionNote must say what changes");
            }
            return change(scope, item, WorkChange.note(note));
        }
        return change(
                scope,
                item,
                new WorkChange(
                        reopen ? WorkAction.REOPEN : WorkAction.UPDATE,
                        arguments.has("state") ? state(arguments) : WorkState.PENDING,
                        reason(arguments),
                        arguments.optional("closureTarget", MAX_SEAT),
                        note));
    }

    private Map<String, Object> change(WorkScope scope, WorkItem item, WorkChange change) {
        return view(queue.change(caller(scope), scope.actor(), item.qitemId(), change));
    }

    /** @throws BerthException FORBIDDEN, also when there is no such item */
    private WorkItem seen(WorkScope scope, Arguments arguments) {
        WorkItem item;
        try {
            item = queue.visible(caller(scope), arguments.text("qitemId", MAX_ID));
        } catch (BerthException e) {
            throw e.status() == 404 ? Scope.outside() : e;
        }
        if (!scope.sees(item.selection())) {
            throw Scope.outside();
        }
        return item;
    }

    private static Caller caller(WorkScope scope) {
        return new Caller(scope.seat(), Set.of(Role.SEAT), scope.grantName(), scope.seat());
    }

    private static WorkState state(Arguments arguments) {
        return WorkState.parse(arguments.text("state", MAX_ID))
                .orElseThrow(() -> BerthException.invalid("state must be one of "
                        + String.join(
                                ", ",
                                Stream.of(WorkState.values())
                                        .map(WorkState::wire)
                                        .toList())));
    }

    /** Null when none was given. */
    private static ClosureReason reason(Arguments arguments) {
        String name = arguments.optional("closureReason", MAX_ID);
        return name == null
                ? null
                : ClosureReason.parse(name)
                        .orElseThrow(() -> BerthException.invalid("closureReason is none of the known reasons"));
    }

    private static Map<String, Object> view(WorkItem item) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("qitemId", item.qitemId());
        tree.put("sourceSession", item.sourceSession());
        tree.put("destinationSession", item.destinationSession());
        tree.put("state", item.state().wire());
        tree.put("priority", item.priority().wire());
        tree.put("tags", item.tags());
        tree.put("body", item.body());
        tree.put("claimedBy", item.claimedBy());
        tree.put(
                "closureReason",
                item.closureReason() == null ? null : item.closureReason().wire());
        tree.put("closureTarget", item.closureTarget());
        tree.put("createdAt", item.createdAt().toString());
        tree.put("updatedAt", item.updatedAt().toString());
        return tree;
    }

    private static Map<String, Object> view(WorkTransition transition) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("transitionId", (long) transition.sequence());
        tree.put("action", transition.action().wire());
        tree.put("state", transition.to().wire());
        tree.put("actorSession", transition.actor().session());
        tree.put("identityProvenance", transition.actor().provenance());
        tree.put("identityPrincipal", transition.actor().principal());
        tree.put("transitionNote", transition.note());
        tree.put("at", transition.at().toString());
        return tree;
    }
}

package dev.workhorse.internal.conductor;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.internal.conductor.PostgresInvoke.Answer;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.sql.Session;

import org.springframework.dao.CannotAcquireLockException;

/**
 * Decides invokes in as many rounds as it takes. One round does unless another
 * transaction changes what a key holds at the same time.
 */
final class InvokeSettlement {

	/** A key that changes hands this often within one invoke is not decided. */
	private static final int MOST_ROUNDS = 100;

	private final PostgresInvoke statements;

	private final KeyWait keyWait;

	InvokeSettlement(PostgresInvoke statements, KeyWait keyWait) {
		this.statements = statements;
		this.keyWait = keyWait;
	}

	/**
	 * Decide invokes of different keys.
	 * @return the decisions in the order of the invokes
	 */
	List<InvokeDecision> settle(Session session, List<Invocation> invocations) {
		IdentityHashMap<Invocation, InvokeDecision> decisions = new IdentityHashMap<>();
		List<Invocation> open = invocations;
		for (int round = 0; !open.isEmpty(); round++) {
			if (round == MOST_ROUNDS) {
				throw new CannotAcquireLockException(
						"%s changed hands %d times during one invoke; try again".formatted(keys(open), MOST_ROUNDS));
			}
			open = round(session, open, decisions);
		}
		return invocations.stream().map((invocation) -> Objects.requireNonNull(decisions.get(invocation))).toList();
	}

	private List<Invocation> round(Session session, List<Invocation> open,
			IdentityHashMap<Invocation, InvokeDecision> decisions) {
		List<Answer> answers = this.keyWait.bounded(session, keys(open), () -> this.statements.invoke(session, open));
		List<Invocation> undecided = new ArrayList<>();
		List<UUID> late = new ArrayList<>();
		for (int i = 0; i < answers.size(); i++) {
			Answer answer = answers.get(i);
			if (answer.decision() == null) {
				undecided.add(open.get(i));
				continue;
			}
			decisions.put(open.get(i), answer.decision());
			if (answer.slotPassed()) {
				late.add(answer.created());
			}
		}
		if (!late.isEmpty()) {
			this.statements.moveToCurrentSlot(session, late);
		}
		return undecided;
	}

	private static String keys(List<Invocation> invocations) {
		InvokeKey first = invocations.get(0).key();
		return (invocations.size() == 1 && first != null) ? "Key " + first : "A key of the batch";
	}

}

package dev.workhorse.internal.conductor;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.workhorse.internal.conductor.PostgresInvoke.Answer;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.key.Rounds;
import dev.workhorse.internal.sql.Session;

import org.springframework.dao.CannotAcquireLockException;

/**
 * Decides invokes in as many rounds as it takes. One round does unless another
 * transaction changes what a key holds at the same time.
 */
final class InvokeSettlement {

	private static final String SAVEPOINT = "workhorse_invoke_batch";

	private final PostgresInvoke statements;

	private final KeyWait keyWait;

	InvokeSettlement(PostgresInvoke statements, KeyWait keyWait) {
		this.statements = statements;
		this.keyWait = keyWait;
	}

	/**
	 * Decide one invoke.
	 */
	InvokeDecision settle(Session session, Invocation invocation) {
		List<Invocation> single = List.of(invocation);
		for (int round = 0; round < Rounds.MOST; round++) {
			List<InvokeDecision> decisions = ask(session, single);
			if (!decisions.isEmpty()) {
				return decisions.get(0);
			}
		}
		throw undecided(single);
	}

	/**
	 * Decide invokes of different keys, or leave nothing of them. What the caller's
	 * transaction did before stays. A further round begins anew, without the locks of the
	 * one before: they would be held while others are waited for that come earlier in the
	 * order of keys.
	 * @return the decisions in the order of the invokes
	 */
	List<InvokeDecision> settleAll(Session session, List<Invocation> invocations) {
		return session.allOrNothing(SAVEPOINT, () -> {
			for (int round = 0; round < Rounds.MOST; round++) {
				List<InvokeDecision> decisions = ask(session, invocations);
				if (!decisions.isEmpty()) {
					return decisions;
				}
				session.rollbackTo(SAVEPOINT);
			}
			throw undecided(invocations);
		});
	}

	private static CannotAcquireLockException undecided(List<Invocation> invocations) {
		return Rounds.exhausted(keys(invocations), "invoke");
	}

	/**
	 * Ask once.
	 * @return a decision for each invoke, or none at all if what one of the keys holds
	 * changed meanwhile
	 */
	private List<InvokeDecision> ask(Session session, List<Invocation> invocations) {
		List<Answer> answers = this.keyWait.bounded(session, () -> keys(invocations),
				() -> this.statements.invoke(session, invocations));
		List<InvokeDecision> decisions = new ArrayList<>();
		List<UUID> late = new ArrayList<>();
		for (Answer answer : answers) {
			if (answer.decision() == null) {
				return List.of();
			}
			decisions.add(answer.decision());
			if (answer.slotPassed()) {
				late.add(answer.created());
			}
		}
		if (!late.isEmpty()) {
			this.statements.moveToCurrentSlot(session, late);
		}
		return decisions;
	}

	private static String keys(List<Invocation> invocations) {
		InvokeKey first = invocations.get(0).key();
		return (invocations.size() == 1 && first != null) ? "Key " + first : "A key of the batch";
	}

}

package dev.workhorse.docs;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.JobHandler;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

class OrderEvents {

	// tag::emit[]
	@Component
	static class Checkout {

		private final Conductor conductor;

		Checkout(Conductor conductor) {
			this.conductor = conductor;
		}

		@Transactional
		UUID paid(Order order) {
			// ... the order's own row
			return this.conductor.emit("order.paid", order, EmitOptions.dedupeKey(order.id()));
		}

	}
	// end::emit[]

	// tag::subscribe[]
	@Component
	static class Receipts {

		private final Mails mails;

		Receipts(Mails mails) {
			this.mails = mails;
		}

		@JobHandler(value = "send-receipt", event = "order.paid")
		void send(Order order, EventMetadata event) {
			this.mails.send("Order %s was paid at %s".formatted(order.id(), event.emittedAt()));
		}

	}
	// end::subscribe[]

	@Component
	static class Stock {

		private final Mails mails;

		Stock(Mails mails) {
			this.mails = mails;
		}

		// tag::filter[]
		@JobHandler(value = "reserve-stock", event = { "order.paid", "order.confirmed" },
				filter = { "/shipping/country = 'NL'", "/digital = false" }, payloadFields = "id", eventQueue = "stock")
		void reserve(PaidOrder order) {
			this.mails.send("Please reserve " + order.id());
		}
		// end::filter[]

	}

	@Component
	static class Mails {

		final List<String> sent = new CopyOnWriteArrayList<>();

		void send(String text) {
			this.sent.add(text);
		}

	}

	record Order(String id, Shipping shipping, boolean digital) {

	}

	record Shipping(String country) {

	}

	record PaidOrder(String id) {

	}

}

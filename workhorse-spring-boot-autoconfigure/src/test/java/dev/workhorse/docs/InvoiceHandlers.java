package dev.workhorse.docs;

import java.math.BigDecimal;
import java.time.Duration;

import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;

import org.springframework.stereotype.Component;

// tag::handler[]
@Component
class InvoiceHandlers {

	private final Payments payments;

	InvoiceHandlers(Payments payments) {
		this.payments = payments;
	}

	@JobHandler("invoice.capture")
	Receipt capture(Invoice invoice, JobContext job) {
		// the same id at every attempt, so the provider charges once
		return this.payments.charge(job.jobId(), invoice.amount());
	}

	// end::handler[]
	// tag::attributes[]
	@JobHandler(value = "invoice.mail", maxAttempts = 10, retryPolicy = "exponential:PT1S:PT1H")
	void mail(Invoice invoice) {
		this.payments.mail(invoice.number());
	}
	// end::attributes[]

	// tag::retention[]
	@JobHandler(value = "invoice.remind", succeededRetention = "PT1H", failedRetention = "P90D")
	void remind(Invoice invoice) {
		this.payments.mail(invoice.number());
	}
	// end::retention[]

	// tag::exceptions[]
	@JobHandler("invoice.refund")
	void refund(Invoice invoice, JobContext job) {
		if (invoice.amount().signum() <= 0) {
			throw new PermanentFailureException("Nothing to refund");
		}
		if (this.payments.isBusy() && job.attempt() < job.maxAttempts()) {
			throw new RetryLaterException("The provider asks to come back later", Duration.ofMinutes(5));
		}
		this.payments.refund(job.jobId(), invoice.amount());
	}
	// end::exceptions[]

	// tag::handler[]
	record Invoice(String number, BigDecimal amount) {
	}

	record Receipt(String reference) {
	}

}
// end::handler[]

package dev.workhorse.sample;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

import dev.workhorse.EnqueueIdempotencyConflictException;
import dev.workhorse.InvalidRequestException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Tells clients why a request was refused, as {@code application/problem+json}. Nothing
 * here is worth a log line: that a caller repeats itself, rightly or not, is everyday
 * business.
 */
@RestControllerAdvice
final class ProblemAdvice extends ResponseEntityExceptionHandler {

	private static final URI CONFLICT = URI.create("urn:problem-type:idempotency-conflict");

	private static final URI INVALID = URI.create("urn:problem-type:invalid-request");

	/**
	 * The key is known, but it came with a different request: names what differs, and the
	 * job that the original request got.
	 */
	@ExceptionHandler
	ProblemDetail conflict(EnqueueIdempotencyConflictException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"This was accepted before with other content. Send the original again, or use another key.");
		problem.setType(CONFLICT);
		problem.setTitle("Idempotency conflict");
		problem.setProperty("code", "idempotency-conflict");
		problem.setProperty("scope", ex.scope());
		problem.setProperty("existingJobId", ex.existingJobId());
		problem.setProperty("conflictingFields", ex.fields());
		problem.setProperty("payloadPointers", ex.payloadPointers());
		return problem;
	}

	/**
	 * The request breaks one of the bounds of Workhorse, for example with a key that is
	 * too long.
	 */
	@ExceptionHandler
	ProblemDetail invalid(InvalidRequestException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
		problem.setType(INVALID);
		problem.setTitle("Invalid request");
		problem.setProperty("code", "invalid-request");
		problem.setProperty("field", ex.field());
		return problem;
	}

	/**
	 * The request does not say what the shop needs to know.
	 */
	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		Map<String, @Nullable String> errors = new TreeMap<>();
		ex.getFieldErrors().forEach((error) -> errors.put(error.getField(), error.getDefaultMessage()));
		ex.getBody().setProperty("errors", errors);
		return super.handleMethodArgumentNotValid(ex, headers, status, request);
	}

}

package dev.workhorse.autoconfigure.actuate;

import java.security.Principal;
import java.util.Set;

import dev.workhorse.autoconfigure.actuate.WorkhorseEndpoint.Listing;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} that knows who asks: values are
 * shown to those who may see them, and actions are noted under the name of the principal.
 */
@EndpointWebExtension(endpoint = WorkhorseEndpoint.class)
public final class WorkhorseEndpointWebExtension {

	private final WorkhorseEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	WorkhorseEndpointWebExtension(WorkhorseEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = roles;
	}

	/**
	 * List jobs, dead letters, keys or queues, see {@link WorkhorseEndpoint}.
	 * @param securityContext who asks
	 * @param collection what is listed
	 * @param queue only jobs and dead letters of a queue
	 * @param type only jobs and dead letters of a type
	 * @param state only jobs in a state
	 * @param tag only jobs with a tag
	 * @param errorType only dead letters whose last exception was of a class
	 * @param scope only keys of a scope
	 * @param after the {@code next} of the page before
	 * @param size the length of the page
	 * @return the page, or {@code null} if there is no such collection
	 */
	@ReadOperation
	public @Nullable OperationResponseBody list(SecurityContext securityContext, @Selector String collection,
			@Nullable String queue, @Nullable String type, @Nullable String state, @Nullable String tag,
			@Nullable String errorType, @Nullable String scope, @Nullable String after, @Nullable Integer size) {
		return this.endpoint.list(new Listing(collection, queue, type, state, tag, errorType, scope, after, size),
				values(securityContext));
	}

	/**
	 * Look at a job, a queue or the keys of a scope, see {@link WorkhorseEndpoint}.
	 * @param securityContext who asks
	 * @param collection what it belongs to
	 * @param name the id of the job, the queue or the scope
	 * @param after for keys, the {@code next} of the page before
	 * @param size for keys, the length of the page
	 * @return what is there, or {@code null} for nothing
	 */
	@ReadOperation
	public @Nullable OperationResponseBody show(SecurityContext securityContext, @Selector String collection,
			@Selector String name, @Nullable String after, @Nullable Integer size) {
		return this.endpoint.show(collection, name, after, size, values(securityContext));
	}

	/**
	 * Act on a job, a queue or a key, see {@link WorkhorseEndpoint}.
	 * @param securityContext who does it
	 * @param collection what it belongs to
	 * @param name the id of the job, the queue or the scope of the key
	 * @param action what to do
	 * @param by who does it, if the request has no principal
	 * @param reason why
	 * @param requestId identifies a redrive
	 * @param interrupt whether the handler of a cancelled job is interrupted
	 * @param digest the digest of the key to release
	 * @return what became of it
	 */
	@WriteOperation
	public WebEndpointResponse<@Nullable ActionDescriptor> act(SecurityContext securityContext,
			@Selector String collection, @Selector String name, String action, @Nullable String by,
			@Nullable String reason, @Nullable String requestId, @Nullable Boolean interrupt, @Nullable String digest) {
		Principal principal = securityContext.getPrincipal();
		ActionDescriptor done = this.endpoint.act(collection, name, ActionRequest.of(action,
				(principal != null) ? principal.getName() : by, reason, requestId, interrupt, digest));
		return new WebEndpointResponse<>(done,
				(done != null) ? WebEndpointResponse.STATUS_OK : WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private Values values(SecurityContext securityContext) {
		return this.endpoint.values(this.showValues.isShown(securityContext, this.roles));
	}

}

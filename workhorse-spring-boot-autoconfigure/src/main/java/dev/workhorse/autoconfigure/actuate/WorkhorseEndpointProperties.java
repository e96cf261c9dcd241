package dev.workhorse.autoconfigure.actuate;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the endpoint shows.
 *
 * @param showValues Who is shown payloads, results and the messages of errors
 * @param roles Roles that authorize to be shown them; any authenticated user by default
 */
@ConfigurationProperties("management.endpoint.workhorse")
record WorkhorseEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

}

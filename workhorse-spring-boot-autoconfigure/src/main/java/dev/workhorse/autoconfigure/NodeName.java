package dev.workhorse.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.boot.system.ApplicationPid;
import org.springframework.core.env.Environment;

/**
 * The name of a node that was given none.
 */
final class NodeName {

	private NodeName() {
	}

	/**
	 * Make a name from the application, the host and the process.
	 * @param environment knows the name of the application
	 * @return for example {@code shop@web-1/4711}
	 */
	static String of(Environment environment) {
		String application = environment.getProperty("spring.application.name", "application");
		return "%s@%s/%s".formatted(application, host(), new ApplicationPid().toString());
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

}

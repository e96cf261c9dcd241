package dev.workhorse.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The shop. Workhorse needs no setup here: the starter on the class path and a
 * {@code DataSource} are enough.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SampleApplication {

	/**
	 * Start the shop.
	 * @param args properties such as {@code --server.port=9090}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Installs a Maven distribution for {@code mvnw}: downloads the archive unless it is
 * already there, compares its SHA-512 and unpacks it. Run as a single source file, so that
 * a JDK is all that the build needs.
 * <p>
 * Arguments: URL, SHA-512, archive file, installation directory.
 */
final class InstallMaven {

	private InstallMaven() {
	}

	public static void main(String[] args) throws Exception {
		URI source = URI.create(args[0]);
		String expected = args[1];
		Path archive = Path.of(args[2]);
		Path home = Path.of(args[3]);
		Files.createDirectories(home.getParent());
		if (Files.notExists(archive)) {
			download(source, archive);
		}
		String actual = sha512(archive);
		if (!actual.equalsIgnoreCase(expected)) {
			Files.delete(archive);
			System.err.println("mvnw: " + source + " has SHA-512 " + actual + " but " + expected
					+ " was expected. Nothing was installed: check .mvn/wrapper/maven-wrapper.properties.");
			System.exit(1);
		}
		Path unpacked = Files.createTempDirectory(home.getParent(), "unpack");
		unpack(archive, unpacked);
		moveUnlessInstalled(unpacked, home);
		Files.delete(archive);
	}

	private static void download(URI source, Path archive) throws IOException {
		try (InputStream in = source.toURL().openStream()) {
			Files.copy(in, archive);
		}
	}

	private static String sha512(Path archive) throws Exception {
		MessageDigest digest = MessageDigest.getInstance("SHA-512");
		try (InputStream in = new DigestInputStream(Files.newInputStream(archive), digest)) {
			in.transferTo(java.io.OutputStream.nullOutputStream());
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	/** The archive holds one directory, {@code apache-maven-<version>}; it is left out. */
	private static void unpack(Path archive, Path target) throws IOException {
		try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
			for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
				Path name = Path.of(entry.getName());
				if (entry.isDirectory() || name.getNameCount() < 2) {
					continue;
				}
				Path file = target.resolve(name.subpath(1, name.getNameCount())).normalize();
				if (!file.startsWith(target)) {
					throw new IOException("Entry outside of the archive: " + entry.getName());
				}
				Files.createDirectories(file.getParent());
				Files.copy(zip, file);
			}
		}
		target.resolve("bin/mvn").toFile().setExecutable(true);
	}

	/** Another build may have installed the same version meanwhile: the first one wins. */
	private static void moveUnlessInstalled(Path unpacked, Path home) throws IOException {
		try {
			Files.move(unpacked, home, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			if (Files.notExists(home.resolve("bin/mvn"))) {
				throw ex;
			}
		}
	}

}

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const downloadMs = 600_000;
const startMs = 30_000;
const execute = promisify(execFile);

/** A file of Maven Central. */
export interface MavenArtifact {
	readonly groupId: string;
	readonly artifactId: string;
	readonly version: string;
	/** `jar`: the file and the jars that it depends on are copied. `zip`: its content is unpacked. */
	readonly type: 'jar' | 'zip';
}

/** Whether this machine can run Java. */
export async function hasJava(): Promise<boolean> {
	try {
		await execute('java', ['-version'], { timeout: startMs });
		return true;
	} catch {
		return false;
	}
}

/** Downloads a file of Maven Central, and copies or unpacks it into a folder. @throws Error with the output of Maven */
export async function downloadArtifact({ groupId, artifactId, version, type }: MavenArtifact, folder: string): Promise<void> {
	const exclusions = '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
	const file = join(folder, 'pom.xml');
	writeFileSync(
		file,
		`<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>caudal</groupId><artifactId>tests</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency>
<groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version><type>${type}</type>
${type === 'zip' ? exclusions : ''}
</dependency></dependencies>
</project>
`,
	);
	const goal = type === 'zip' ? 'unpack-dependencies' : 'copy-dependencies';
	await execute('mvn', ['-q', '-B', '-f', file, `dependency:${goal}`, `-DoutputDirectory=${join(folder, 'lib')}`], {
		timeout: downloadMs,
	});
}

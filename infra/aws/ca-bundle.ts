import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '#shared/config.ts';
import { endpoints } from '#shared/contract.ts';
import { tasks } from '#shared/tasks.ts';
import type { Environment } from './environment.ts';
import { callsUtility } from './private-network.ts';

/** The file in the folder of a function that holds the private certificate authorities. */
export const caBundleFile = 'ca-bundle.pem';

/** A certificate in a PEM file. Its content is base64, in which there is no dash. */
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Copies a PEM file of certificate authorities beside the bundle of each function that calls a server of the utility.
 * @param file path of the PEM file, from the project's folder
 * @param bundlesFolder the folder that `writeBundles` filled
 * @throws ConfigError when the file cannot be read, holds none, or holds one that is not valid or has expired
 */
export function addCaBundle(file: string, bundlesFolder: string, environment: Pick<Environment, 'openIdInVpc'>): void {
	const pem = `${readCertificates(file).join('\n')}\n`;
	for (const row of [...endpoints, ...tasks])
		if (callsUtility(row, environment)) writeFileSync(join(bundlesFolder, row.name, caBundleFile), pem);
}

/**
 * Returns the certificates of a PEM file, each as PEM, without the text around them. Node would ignore a wrong file with no more than a warning.
 * @param file path of the PEM file, from the project's folder
 * @throws ConfigError when the file cannot be read, holds none, or holds one that is not valid or has expired
 */
export function readCertificates(file: string): readonly string[] {
	try {
		const text = readFileSync(resolve(fileURLToPath(new URL('../../', import.meta.url)), file), 'utf8');
		if (text.includes('PRIVATE KEY')) throw new Error('it holds a private key');
		const certificates = text.match(certificatePattern) ?? [];
		if (certificates.length === 0) throw new Error('it holds no certificate');
		for (const certificate of certificates) {
			const { subject, validTo } = new X509Certificate(certificate);
			if (Date.parse(validTo) < Date.now()) throw new Error(`the certificate of ${subject} has expired`);
		}
		return certificates;
	} catch (error) {
		throw new ConfigError(
			`caBundle ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}. It must be a PEM file of certificates.`,
			{
				cause: error,
			},
		);
	}
}

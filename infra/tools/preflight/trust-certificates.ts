import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readCertificates } from '#infra/aws/ca-bundle.ts';

/**
 * Makes this process trust the private certificate authorities of the setting `caBundle`, as NODE_EXTRA_CA_CERTS makes functions.
 * @param file path of the PEM file, from the project's folder
 * @throws ConfigError when the file cannot be read, or holds anything but valid certificates
 */
export function trustCertificates(file: string): void {
	setDefaultCACertificates([...getCACertificates(), ...readCertificates(file)]);
}

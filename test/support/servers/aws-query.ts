import { awsSettings } from './aws.ts';

/**
 * Calls an API of the emulator that the project has no client for. `path` includes the query.
 * @throws Error with the response when its status is not 2xx
 */
export async function callAws(service: string, method: string, path: string, body?: URLSearchParams): Promise<string> {
	const { endpoint, region, credentials } = awsSettings();
	// The emulator reads the caller and the service from the header. It does not check the signature of its root user.
	const credential = `${credentials.accessKeyId}/20260101/${region}/${service}/aws4_request`;
	const response = await fetch(`${endpoint}${path}`, {
		method,
		headers: { authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0` },
		...(body === undefined ? {} : { body }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${service} ${method} ${path}: ${response.status} ${text}`);
	return text;
}

import { awsSettings } from './aws.ts';

/** What says who asks, which the emulator does not check of its root. */
const authorization = (service: string): string => {
	const { region, credentials } = awsSettings();
	return `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
};

/** Asks the emulator for what the project has no client of; `path` with its query. Rejects where it is refused. */
export const askAws = async (service: string, method: string, path: string, body?: URLSearchParams): Promise<string> => {
	const response = await fetch(`${awsSettings().endpoint}${path}`, {
		method,
		headers: { authorization: authorization(service) },
		...(body === undefined ? {} : { body }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${service} ${method} ${path}: ${response.status} ${text}`);
	return text;
};

const million = 1e6;

/** Unit prices of us-east-1 in US$, as on the pages that infra/aws/DEPLOYING.md#cost names with their date. */
export const prices = {
	/** Of requests to an HTTP API: the first 300 million of a month, and those beyond. */
	httpRequest: 1 / million,
	httpRequestBeyond: 0.9 / million,
	/** Of Lambda on arm64: an invocation, and a second of a GB. */
	invocation: 0.2 / million,
	gbSecond: 0.0000133334,
	/** Of DynamoDB: a unit of reading and of writing on demand. */
	read: 0.125 / million,
	write: 0.625 / million,
	/** Of CloudWatch: a GB of logs, an alarm of a metric and a composite one, a custom metric, a dashboard. */
	logGb: 0.5,
	metricInAlarm: 0.1,
	compositeAlarm: 0.5,
	customMetric: 0.3,
	dashboard: 3,
	/** Of a GB that leaves AWS. */
	outGb: 0.09,
	/** Of a key in KMS, and of a secret in Secrets Manager. */
	key: 1,
	secret: 0.4,
	/** Of a query in InfluxDB Cloud. */
	influxQuery: 0.01 / 100,
} as const;

export const daysOfMonth = 30.4;
export const pollSeconds = 30;

/** The polls of one dashboard in a month. */
export const polls = (daysOfMonth * 86_400) / pollSeconds;

const httpRequestsBeforeBeyond = 300 * million;
/** A request keeps a function of 512 MB for so long, in the mean. A cap is counted with three times of it (infra/aws/caps.ts). */
const billedSeconds = 0.1;
const functionGb = 0.5;
/** In GB: of the access log, the request's line and Lambda's own; and of an answer. */
const logGb = 2.2 / million;
const answerGb = 4 / million;

/** What so many requests of a month cost, in US$, beside DynamoDB. */
export const costOfRequests = {
	'HTTP API': (requests: number) =>
		Math.min(requests, httpRequestsBeforeBeyond) * prices.httpRequest +
		Math.max(0, requests - httpRequestsBeforeBeyond) * prices.httpRequestBeyond,
	Lambda: (requests: number) => requests * (prices.invocation + functionGb * billedSeconds * prices.gbSecond),
	'CloudWatch Logs': (requests: number) => requests * logGb * prices.logGb,
	'data out': (requests: number) => requests * answerGb * prices.outGb,
} as const;

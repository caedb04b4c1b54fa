/** The meaning of each alarm, and the section of the runbook that says what to do. */
export const alarmTexts = {
	ServerErrors: { meaning: 'At least 2 % of the requests are answered 5xx.', section: 'requests-fail' },
	Latency: { meaning: 'One request in a hundred takes over 5 s.', section: 'requests-are-slow' },
	RefusalStorm: {
		meaning:
			'At least 20 % of the requests are answered 401 or 403: valid tokens are refused, or somebody guesses tokens or credentials.',
		section: 'many-requests-are-refused',
	},
	GatewayThrottles: {
		meaning: 'API Gateway answers at least 1 % of the requests with 429, because they are more than the settings allow.',
		section: 'the-gateway-throttles',
	},
	NoTraffic: {
		meaning: 'No client has sent a request for 15 minutes, although some did within the last 6 hours.',
		section: 'no-requests-arrive',
	},
	TsdbFaults: {
		meaning: 'InfluxDB fails or is too slow in at least 5 % of the reads, which are answered 502 or 504.',
		section: 'influxdb-is-down-or-slow',
	},
	IdentityProviderFaults: {
		meaning: 'The identity provider fails or is too slow in at least 20 % of the calls, so sign-ins are answered 502 or 504.',
		section: 'the-identity-provider-fails',
	},
	OpenIdProviderFaults: {
		meaning: 'OpenID providers fail or are too slow: faults are at least 20 % of the calls, so sign-ins are answered 502 or 504.',
		section: 'an-openid-provider-fails',
	},
	TokenSigningFailed: {
		meaning: 'At least 20 % of the tokens cannot be signed, so users cannot sign in.',
		section: 'nobody-can-sign-in',
	},
	StaleReadings: {
		meaning:
			'At least half of the readings have been stale or without data for 15 minutes: the plant’s samples do not arrive in InfluxDB.',
		section: 'readings-are-stale-or-empty',
	},
	IssuerErrors: {
		meaning:
			'At least 10 % of the requests for the issuer’s documents are answered 5xx. Within two hours every token will be refused.',
		section: 'valid-tokens-are-refused',
	},
	IssuerRefusals: {
		meaning:
			'At least half of the requests to the issuer are answered 4xx: authorizers are throttled, or somebody tries addresses.',
		section: 'the-issuer-refuses-requests',
	},
	IssuerLatency: {
		meaning: 'The issuer’s documents take over 1.2 s. Authorizers wait 1.5 s, then they refuse the token.',
		section: 'the-issuer-is-slow',
	},
	SignInThrottles: {
		meaning: 'Lambda did not run the functions that sign-in and tokens depend on, because their concurrency was used up.',
		section: 'functions-are-throttled',
	},
	ReadingThrottles: {
		meaning: 'Lambda did not run functions that read series, because their concurrency was used up. Often InfluxDB is slow.',
		section: 'functions-are-throttled',
	},
	PublicThrottles: {
		meaning: 'Lambda did not run functions that answer without a token, because the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	AccessThrottles: {
		meaning: 'Lambda did not run functions for people and their roles, because the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	ListThrottles: {
		meaning:
			'Lambda did not run functions that list what is stored or what the database holds, because the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	ChangeThrottles: {
		meaning: 'Lambda did not run functions that save or delete, because the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	ReportThrottles: {
		meaning: 'Lambda did not run functions of reports, because the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	TableThrottles: {
		meaning: 'Lambda did not run functions of tables, because they reached their cap or the account’s concurrency was used up.',
		section: 'functions-are-throttled',
	},
	PlantAlarmsStopped: {
		meaning:
			'The evaluation of the plants’ alarms has not been started for three minutes. Nobody is told of what happens at any plant.',
		section: 'an-alarm-did-not-come',
	},
	PlantAlarmsLate: {
		meaning: 'The alarms of a schema have not been evaluated for three minutes. Nobody is told of what happens there.',
		section: 'an-alarm-did-not-come',
	},
	PlantAlarmsLateWidely: {
		meaning:
			'The alarms of at least a tenth of the schemas have not been evaluated for three minutes: the cause is common to them.',
		section: 'an-alarm-did-not-come',
	},
	PlantAlarmsFailing: {
		meaning: 'Alarms of a schema cannot be evaluated, because a stored row cannot be read.',
		section: 'an-alarm-did-not-come',
	},
	PlantAlarmsFailingWidely: {
		meaning: 'Alarms of at least a tenth of the schemas cannot be evaluated: a release cannot read what is stored.',
		section: 'an-alarm-did-not-come',
	},
	PlantAlarmsNotSent: {
		meaning: 'A message about the alarm of a plant has been waiting for 15 minutes: the topic does not accept it.',
		section: 'an-alarm-did-not-come',
	},
	ReportsStopped: {
		meaning: 'The days of reports have not been stored for an hour. Reports are right, and count what is not stored.',
		section: 'a-report-is-not-stored-or-sent',
	},
	ReportsFailing: {
		meaning: 'For an hour, the reports of a schema could not be stored or sent.',
		section: 'a-report-is-not-stored-or-sent',
	},
	PlantAlarmsNotDelivered: {
		meaning: 'A subscriber of the topic of plants’ alarms did not get a message.',
		section: 'an-alarm-did-not-come',
	},
	CanaryFailed: {
		meaning: 'The canary could not sign in and read in two of its last three runs, or it does not run.',
		section: 'the-canary-fails',
	},
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly section: string }>>;

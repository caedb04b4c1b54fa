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
		meaning:
			'No client has sent a request for 15 minutes, within trafficHours, or without that setting although some did within the last 6 hours.',
		section: 'no-requests-arrive',
	},
	TsdbFaults: {
		meaning: 'InfluxDB fails or is too slow in at least 5 % of the reads, which are answered 502 or 504.',
		section: 'influxdb-is-down-or-slow',
	},
	SchemaFailsWholly: {
		meaning: 'Every request that a schema has sent to a route has failed for 5 minutes, however many others are served.',
		section: 'one-schema-fails-wholly',
	},
	IdentityProviderFaults: {
		meaning: 'The identity provider fails or is too slow in at least 20 % of the calls, so nobody signs in. Sessions go on.',
		section: 'the-identity-provider-fails',
	},
	OpenIdProviderFaults: {
		meaning: 'OpenID providers fail or are too slow: faults are at least 20 % of the calls, so nobody signs in. Sessions go on.',
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
	DefinitionStoreThrottles: {
		meaning:
			'DynamoDB refuses requests to the tables of definitions, which are more than it allows. Readings and saves are answered 503.',
		section: 'a-table-gets-too-many-requests',
	},
	AlarmStoreThrottles: {
		meaning: 'DynamoDB refuses requests to the tables of alarms or of reports’ days, which are more than it allows.',
		section: 'a-table-gets-too-many-requests',
	},
	SessionStoreThrottles: {
		meaning:
			'DynamoDB refuses requests to the tables of people and sessions, which are more than it allows. Sign-ins are answered 503.',
		section: 'a-table-gets-too-many-requests',
	},
	TenantStoreThrottles: {
		meaning: 'DynamoDB refuses requests to the tables of owners, machines or grants, which are more than it allows.',
		section: 'a-table-gets-too-many-requests',
	},
	TableReadsNearQuota: {
		meaning:
			'For 15 minutes, a table has been read with at least 80 % of what the account’s quota or maxReadRequestUnits allows.',
		section: 'a-table-gets-too-many-requests',
	},
	TableWritesNearQuota: {
		meaning:
			'For 15 minutes, a table has been written with at least 80 % of what the account’s quota or maxWriteRequestUnits allows.',
		section: 'a-table-gets-too-many-requests',
	},
	SigningNearQuota: {
		meaning:
			'For 3 minutes, the account has used at least 80 % of KMS’s quota for operations with RSA keys. Beyond it nobody can sign in.',
		section: 'kms-refuses-signatures',
	},
	ConcurrencyNearQuota: {
		meaning: 'For 15 minutes, the account has run at least 80 % of the functions at once that accountConcurrency says.',
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
		meaning: 'For an hour, the reports of a schema could not be stored or sent. It ends after a day, also where it goes on.',
		section: 'a-report-is-not-stored-or-sent',
	},
	ReportsFailingWidely: {
		meaning:
			'For an hour, the reports of at least a tenth of the schemas could not be stored or sent: the cause is common to them.',
		section: 'a-report-is-not-stored-or-sent',
	},
	PlantAlarmsNotDelivered: {
		meaning:
			'SNS gave up to deliver a message about the alarm of a plant to a subscriber. It is in the queue of undelivered messages.',
		section: 'a-message-was-not-delivered',
	},
	PlantAlarmAttemptsFail: {
		meaning:
			'For an hour, at least 1 % of the attempts to deliver messages about plants’ alarms have failed. Without a redrive policy they are lost.',
		section: 'a-message-was-not-delivered',
	},
	BackupsFailed: {
		meaning: 'Within a day, a backup of a table or its copy failed, was stopped, or did not start in time.',
		section: 'a-backup-failed',
	},
	BackupsStopped: {
		meaning: 'No copy of a backup has been completed for 36 hours.',
		section: 'a-backup-failed',
	},
	CanaryFailed: {
		meaning: 'The canary could not sign in and read in two of its last three runs, or it does not run.',
		section: 'the-canary-fails',
	},
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly section: string }>>;

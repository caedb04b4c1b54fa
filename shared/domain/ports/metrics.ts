/** The metrics that count events. */
export type CountMetric =
	| 'StoreConflicts'
	| 'TsdbFaults'
	| 'IdentityProviderFaults'
	| 'SigningFailures'
	| 'TenantRefusals'
	| 'OpenIdRefusals'
	| 'OpenIdProviderFaults'
	| 'CanaryFailures';

/** The metrics that measure a duration. */
export type TimingMetric = 'TsdbLatency' | 'IdentityProviderLatency' | 'OpenIdProviderLatency' | 'CanaryLatency';

/** The metrics that tell a state. Of several values in one interval the largest counts. */
export type GaugeMetric =
	| 'AlarmLagSeconds'
	| 'SchemasEvaluated'
	| 'SchemasLate'
	| 'SchemasFailing'
	| 'AlarmOutboxSeconds'
	| 'ReportSchemas'
	| 'ReportSchemasFailing'
	| 'ReportSchemasNewlyFailing';

/** Records how the dependencies of the service behave, for its operators. Never throws. */
export interface Metrics {
	/** Adds `value` (default 1) to a metric. A 0 says that the event did not happen: alarms compare failures with attempts. */
	count(name: CountMetric, value?: number): void;
	/** Records a duration in milliseconds. */
	time(name: TimingMetric, milliseconds: number): void;
	/** Records a state. */
	gauge(name: GaugeMetric, value: number): void;
}

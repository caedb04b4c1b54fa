/** What is counted. */
export type Count = 'StoreConflicts' | 'TsdbFaults' | 'IdentityProviderFaults' | 'SigningFailures';

/** What is timed, in milliseconds. */
export type Timing = 'TsdbLatency' | 'IdentityProviderLatency';

/** What dependencies do, for those who operate the service. Never throws. */
export interface Metrics {
	/** Adds to a count; 1 unless told. */
	count(name: Count, value?: number): void;
	/** Notes how long something took, in milliseconds. */
	time(name: Timing, milliseconds: number): void;
}

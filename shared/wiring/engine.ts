import { type InfluxConnection, type InfluxConnectionOptions, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { createInfluxTopicCatalog } from '#adapters/influx/influx-topic-catalog.ts';

/*
 * The one door to the engine that holds the series. Nothing else but its own folder, its settings and its tests names it. Each reader has
 * a function of its own, so that the bundle of a Lambda function holds only those that it calls.
 */

/** An engine that is open. */
export type Engine = InfluxConnection;

/** Where an engine is, and the limits of its reads. */
export type EngineOptions = InfluxConnectionOptions;

export const openEngine: (options: EngineOptions) => Engine = openInfluxConnection;

/** Reads the newest values and the windows of many series. */
export const timeSeriesOn = createInfluxTimeSeries;

/** Reads aggregates of one range. */
export const spansOn = createInfluxSpanReader;

/** Reads samples in the order of their times. */
export const samplesOn = createInfluxSampleReader;

/** Lists topics and fields. */
export const topicsOn = createInfluxTopicCatalog;

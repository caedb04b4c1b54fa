import { expect, test } from 'vitest';
import { checkCall, type ObservedCall } from '#test/support/openapi/check-call.ts';

const health: ObservedCall = {
	method: 'GET',
	path: '/health',
	requestBody: undefined,
	status: 200,
	headers: new Headers(),
	body: { status: 'ok', version: '0.1.0' },
};

const chart: ObservedCall = {
	method: 'POST',
	path: '/saveChart?x=1',
	requestBody: { id: 0, title: 'C', series: [], more: 1 },
	status: 200,
	headers: new Headers({ etag: '"1"', 'apigw-requestid': 'x' }),
	body: { data: { id: 1, title: 'C', series: [], version: 1 } },
};

test.each<[string, ObservedCall]>([
	['a documented answer', health],
	['a request with an unknown field', chart],
	[
		'a refused request that no schema allows',
		{
			...chart,
			requestBody: {},
			status: 400,
			headers: new Headers(),
			body: { title: { message: 'Is required.', code: 'required', params: {} } },
		},
	],
	['a path that is no route', { ...health, path: '/nowhere', status: 404 }],
])('accepts %s', (_, observed) => {
	expect(() => checkCall(observed)).not.toThrow();
});

test.each<[string, ObservedCall, string]>([
	['a status', { ...health, status: 204 }, 'this status'],
	['a header', { ...health, headers: new Headers({ etag: '"1"' }) }, 'etag'],
	['a public cache', { ...health, headers: new Headers({ 'cache-control': 'public, max-age=1' }) }, 'cache-control'],
	['a field that is missing', { ...health, body: {} }, 'required'],
	['a field that is not documented', { ...health, body: { status: 'ok', version: '0.1.0', more: 1 } }, 'additional'],
	['a nested field that is not documented', { ...chart, body: { data: { ...Object(chart.body).data, more: 1 } } }, 'additional'],
	['a value of another type', { ...chart, body: { data: { ...Object(chart.body).data, version: '1' } } }, 'integer'],
	['an accepted request', { ...chart, requestBody: { id: 0, title: '', series: [] } }, 'its request was accepted'],
])('refuses %s that the document does not allow', (_, observed, reason) => {
	expect(() => checkCall(observed)).toThrow(reason);
});

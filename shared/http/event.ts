import type {
	APIGatewayEventRequestContextV2,
	APIGatewayProxyEventV2WithRequestContext,
	APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import type { SchemaLimit } from './schema-limit.ts';

/** An HTTP API event of payload format 2.0. `authorizer` is `unknown` until `callerOf` has parsed it. */
export type ApiEvent = APIGatewayProxyEventV2WithRequestContext<
	APIGatewayEventRequestContextV2 & { readonly authorizer?: unknown }
>;

/** The result that a Lambda function returns to an HTTP API. */
export type ApiResult = APIGatewayProxyStructuredResultV2;

/** The handler of an endpoint, as Lambda and the local gateway call it. Never rejects. Without a limit, a schema may have any number of requests. */
export type ApiHandler = (event: ApiEvent, limit?: SchemaLimit) => Promise<ApiResult>;

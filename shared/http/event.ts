import type {
	APIGatewayEventRequestContextV2,
	APIGatewayProxyEventV2WithRequestContext,
	APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';

/** An HTTP API event of payload format 2.0. What the authorizer added is `unknown` until `callerOf` has parsed it. */
export type ApiEvent = APIGatewayProxyEventV2WithRequestContext<
	APIGatewayEventRequestContextV2 & { readonly authorizer?: unknown }
>;

/** What a Lambda function answers an HTTP API with. */
export type ApiResult = APIGatewayProxyStructuredResultV2;

/** An endpoint's handler, as Lambda and the local gateway call it. Never rejects. */
export type ApiHandler = (event: ApiEvent) => Promise<ApiResult>;

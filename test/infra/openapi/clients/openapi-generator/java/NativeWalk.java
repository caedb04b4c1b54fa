import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ReadingsApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.model.Credentials;
import org.openapitools.client.model.ReadRequest;
import org.openapitools.client.model.ReadingsAnswer;

/** Reads the demo plant with the library `native`, and prints as JSON the classes and the readings that it got. */
public class NativeWalk {
	public static void main(String[] arguments) throws Exception {
		ApiClient client = new ApiClient();
		client.updateBaseUri(arguments[0]);
		Credentials credentials = new Credentials()
			.email("operator@plant-a.example").tokenApp("demo-a").schemaName("plant_a").tsdbName("plant_a");
		String token = new SignInApi(client).signIn(credentials).getToken();
		client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
		ReadingsAnswer readings = new ReadingsApi(client).readVariables(null, new ReadRequest());
		List<String> classes = readings.getData().stream().map(each -> each.getActualInstance().getClass().getSimpleName()).toList();
		Map<String, Object> walked = Map.of("classes", classes, "readings", readings);
		System.out.println(client.getObjectMapper().writeValueAsString(walked));
		System.exit(0);
	}
}

import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.api.ReadingsApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.api.VariablesApi;
import org.openapitools.client.model.Credentials;
import org.openapitools.client.model.ReadingsAnswer;
import org.openapitools.client.model.VariableListing;

/** Reads the demo plant with the generator's default library, and prints as JSON the classes, the variables and the readings that it got. */
public class DefaultWalk {
	public static void main(String[] arguments) throws Exception {
		ApiClient client = new ApiClient().setBasePath(arguments[0]);
		Credentials credentials = new Credentials()
			.email("operator@plant-a.example").tokenApp("demo-a").schemaName("plant_a").tsdbName("plant_a");
		client.setBearerToken(new SignInApi(client).signIn(credentials).getToken());
		ReadingsAnswer readings = new ReadingsApi(client).readVariables(null, null);
		VariableListing variables = new VariablesApi(client).listVariables(null, null, null);
		List<String> classes = readings.getData().stream().map(each -> each.getActualInstance().getClass().getSimpleName()).toList();
		System.out.println(
			"{\"classes\":" + JSON.serialize(classes) + ",\"readings\":" + JSON.serialize(readings)
				+ ",\"variables\":" + JSON.serialize(variables) + "}");
		System.exit(0);
	}
}

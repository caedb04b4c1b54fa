// Uses the demo plant with the client that openapi-generator generated, as client.py does, and prints what it got as JSON.
//
// Arguments: the address of the service, and the start and end of a history in epoch milliseconds.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"client/caudal"
)

// refusal is an error of the service: its status, and the errors by field.
type refusal struct {
	Status int                          `json:"status"`
	Errors map[string]caudal.FieldError `json:"errors"`
}

// must returns the answer of a call that must not fail.
func must[Answer any](answer Answer, _ *http.Response, err error) Answer {
	if err != nil {
		fail(err)
	}
	return answer
}

// refusalOf returns the error of a call that must be refused.
func refusalOf(response *http.Response, err error) refusal {
	var refused *caudal.GenericOpenAPIError
	if !errors.As(err, &refused) {
		fail(fmt.Errorf("expected a refusal, got %v", err))
	}
	fields, isFields := refused.Model().(map[string]caudal.FieldError)
	if !isFields {
		fail(fmt.Errorf("expected the errors of fields, got %T", refused.Model()))
	}
	return refusal{response.StatusCode, fields}
}

func fail(err error) {
	var refused *caudal.GenericOpenAPIError
	if errors.As(err, &refused) {
		err = fmt.Errorf("%w: %s", err, refused.Body())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// queries reads one field of the plant over the last hour.
func queries(name string, topic string, field string, aggregate string) map[string]caudal.Query {
	query := caudal.NewQuery(topic, field, 1, 1, "h", aggregate)
	query.SetCalcUnit("h")
	return map[string]caudal.Query{name: *query}
}

// inputs are new variables of the three kinds.
func inputs() []caudal.VariableInput {
	newest := queries("Flow", "plant/distribution/flow", "value", "last")
	simple := caudal.NewSimpleVariableInput(0, "Flow", "m³/h", "last", "walk", false, newest)
	divided := []caudal.Token{*caudal.NewToken("flow", "variable"), *caudal.NewToken("/", "operator"), *caudal.NewToken("3.6", "number")}
	byHour := queries("flow", "plant/distribution/flow", "value", "mean")
	calculated := caudal.NewCalculatedVariableInput(0, "Outflow", "L/s", "last", "walk", true, divided, byHour)
	status := queries("Pump", "plant/status", "byte", "last")
	bits := []caudal.Bit{*caudal.NewBit(1, "Running", 0)}
	compressed := caudal.NewBitCompressedVariableInput(0, "Pump", "", "last", "walk", false, true, status, bits)
	return []caudal.VariableInput{
		{SimpleVariableInput: simple},
		{CalculatedVariableInput: calculated},
		{BitCompressedVariableInput: compressed},
	}
}

// idAndKind returns the id of a saved variable, and which of the kinds the client took it for.
func idAndKind(variable caudal.Variable) (int64, string) {
	switch {
	case variable.CalculatedVariable != nil:
		return variable.CalculatedVariable.Id, "calculated"
	case variable.BitCompressedVariable != nil:
		return variable.BitCompressedVariable.Id, "compressed"
	default:
		return variable.SimpleVariable.Id, "simple"
	}
}

func epochMs(argument string) int64 {
	milliseconds, err := strconv.ParseInt(argument, 10, 64)
	if err != nil {
		fail(err)
	}
	return milliseconds
}

func main() {
	configuration := caudal.NewConfiguration()
	configuration.Servers = caudal.ServerConfigurations{{URL: os.Args[1]}}
	client := caudal.NewAPIClient(configuration)
	credentials := *caudal.NewCredentials("operator@plant-a.example", "demo-a", "plant_a", "plant_a")
	session := must(client.SignInAPI.SignIn(context.Background()).Credentials(credentials).Execute())
	signedIn := context.WithValue(context.Background(), caudal.ContextAccessToken, session.Token)
	variables := client.VariablesAPI

	kinds := []string{}
	ids := []int64{}
	for _, input := range inputs() {
		answer := must(variables.SaveVariable(signedIn).VariableInput(input).Execute())
		id, kind := idAndKind(answer.VariableAnswer.Data)
		kinds, ids = append(kinds, kind), append(ids, id)
	}
	listed := must(variables.ListVariables(signedIn).Execute())
	paged := []caudal.Variable{}
	for after := int64(0); ; {
		page := must(variables.ListVariables(signedIn).Limit(10).After(after).Execute())
		paged = append(paged, page.Data...)
		next, isSet := page.GetNextOk()
		if !isSet || next == nil {
			break
		}
		after = *next
	}
	asked := caudal.NewReadRequest()
	asked.SetIds(append(ids, 987654))
	readings := must(client.ReadingsAPI.ReadVariables(signedIn).ReadRequest(*asked).Execute())
	polled := must(client.ReadingsAPI.ReadVariables(signedIn).ReadRequest(*caudal.NewReadRequest()).Execute())
	start, end := epochMs(os.Args[2]), epochMs(os.Args[3])
	span := caudal.NewHistoryRequest(ids, caudal.HistoryRequestStart{Int64: &start})
	span.SetEnd(caudal.HistoryRequestEnd{Int64: &end})
	history := must(client.ReadingsAPI.ReadHistories(signedIn).HistoryRequest(*span).Execute())

	wrong := inputs()[1]
	tooShort := wrong.CalculatedVariableInput.VarsTsdb["flow"]
	tooShort.CalcUnitPeriod = "ms"
	wrong.CalculatedVariableInput.VarsTsdb["flow"] = tooShort
	_, response, err := variables.SaveVariable(signedIn).VariableInput(wrong).Execute()
	invalid := refusalOf(response, err)
	known := inputs()[0]
	known.SimpleVariableInput.Id = ids[0]
	_, response, err = variables.SaveVariable(signedIn).VariableInput(known).IfMatch(`"7"`).Execute()
	outdated := refusalOf(response, err)

	output, err := json.Marshal(map[string]any{
		"kinds": kinds, "ids": ids, "listed": listed, "paged": paged, "readings": readings, "polled": polled,
		"missing": readings.Data[3].MissingReading != nil, "history": history, "invalid": invalid, "outdated": outdated,
	})
	if err != nil {
		fail(err)
	}
	fmt.Println(string(output))
}

// Reads the demo plant with Prometheus' own client of its HTTP API, and prints what it got as JSON.
//
// Arguments: the address of the API, the client id and the secret of a machine, and the end of a range in seconds since 1970.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// basic adds the credentials of a machine to each request.
type basic struct{ user, password string }

func (b basic) RoundTrip(request *http.Request) (*http.Response, error) {
	request.SetBasicAuth(b.user, b.password)
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, warnings v1.Warnings, err error) T {
	if err != nil || len(warnings) > 0 {
		panic(fmt.Sprint(err, warnings))
	}
	return value
}

func main() {
	client, err := api.NewClient(api.Config{Address: os.Args[1], RoundTripper: basic{os.Args[2], os.Args[3]}})
	if err != nil {
		panic(err)
	}
	seconds, err := strconv.ParseInt(os.Args[4], 10, 64)
	if err != nil {
		panic(err)
	}
	ctx, prometheus, end := context.Background(), v1.NewAPI(client), time.Unix(seconds, 0)
	hour := v1.Range{Start: end.Add(-time.Hour), End: end, Step: time.Minute}
	vector := must(prometheus.Query(ctx, `caudal_value{process="pumping"}`, end)).(model.Vector)
	matrix := must(prometheus.QueryRange(ctx, `caudal_value{name="Distribution flow"}`, hour)).(model.Matrix)
	scalar := must(prometheus.Query(ctx, "1+1", end)).(*model.Scalar)
	series := must(prometheus.Series(ctx, []string{"caudal_bit"}, hour.Start, end))
	names := must(prometheus.LabelNames(ctx, nil, hour.Start, end))
	values := must(prometheus.LabelValues(ctx, "process", []string{"caudal_value"}, hour.Start, end))
	metadata, err := prometheus.Metadata(ctx, "", "")
	if err != nil {
		panic(err)
	}
	build, err := prometheus.Buildinfo(ctx)
	if err != nil {
		panic(err)
	}
	_, _, refused := prometheus.Query(ctx, "rate(caudal_value[5m])", end)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"vector": vector, "matrix": matrix, "scalar": scalar, "series": series, "names": names, "values": values,
		"metadata": metadata, "build": build, "refused": refused,
	})
}

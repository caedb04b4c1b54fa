// Signs a machine in with golang.org/x/oauth2: oauth URL CLIENT_ID SECRET basic|form. Prints the status of a poll.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	url, id, secret, place := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	style := oauth2.AuthStyleInHeader
	if place == "form" {
		style = oauth2.AuthStyleInParams
	}
	config := clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: url + "/token", AuthStyle: style}
	answer, err := config.Client(context.Background()).Post(url+"/multipleDataTsdb", "application/json", strings.NewReader(`{"ids": []}`))
	var refusal *oauth2.RetrieveError
	if errors.As(err, &refusal) {
		fmt.Fprintln(os.Stderr, refusal.ErrorCode, refusal.Response.StatusCode)
		os.Exit(1)
	}
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.StatusCode)
}
